import { AccountArea } from '../../account/account-area.tsx'
import { Security } from '../../features/security/security.tsx'

export function SecuritySettings() {
  return (
    <AccountArea title="Security" lead="How you prove that you are you.">
      <Security />
    </AccountArea>
  )
}
