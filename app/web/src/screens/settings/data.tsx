import { AccountArea } from '../../account/account-area.tsx'
import { YourData } from '../../features/your-data/your-data.tsx'
import { accountTexts } from '../../texts/account.ts'
import { yourDataTexts as texts } from '../../texts/your-data.ts'

export function DataSettings() {
  return (
    <AccountArea title={accountTexts.pages.data} lead={texts.lead}>
      <YourData />
    </AccountArea>
  )
}
