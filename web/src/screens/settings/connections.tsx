import { AccountArea } from '../../account/account-area.tsx'
import { Connections } from '../../features/connections/connections.tsx'

export function ConnectionsSettings() {
  return (
    <AccountArea title="Connected accounts" lead="Accounts elsewhere that you can sign in with.">
      <Connections />
    </AccountArea>
  )
}
