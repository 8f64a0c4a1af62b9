import { AccountArea } from '../../account/account-area.tsx'
import { Security } from '../../features/security/security.tsx'
import { accountTexts } from '../../texts/account.ts'
import { securityTexts as texts } from '../../texts/security.ts'

export function SecuritySettings() {
  return (
    <AccountArea title={accountTexts.pages.security} lead={texts.lead}>
      <Security />
    </AccountArea>
  )
}
