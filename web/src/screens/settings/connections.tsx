import { Connections } from '../../features/connections/connections.tsx'
import { AccountArea } from '../../layout/account-area.tsx'

export function ConnectionsSettings() {
  return (
    <AccountArea title="Connected accounts" lead="Accounts elsewhere that you can sign in with.">
      <Connections />
    </AccountArea>
  )
}
