import { AccountArea } from '../../account/account-area.tsx'
import { Connections } from '../../features/connections/connections.tsx'
import { accountTexts } from '../../texts/account.ts'
import { connectionsTexts as texts } from '../../texts/connections.ts'

export function ConnectionsSettings() {
  return (
    <AccountArea title={accountTexts.pages.connections} lead={texts.lead}>
      <Connections />
    </AccountArea>
  )
}
