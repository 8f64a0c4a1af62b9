import { Security } from '../../features/security/security.tsx'
import { AccountArea } from '../../layout/account-area.tsx'

export function SecuritySettings() {
  return (
    <AccountArea title="Security" lead="How you prove that you are you.">
      <Security />
    </AccountArea>
  )
}
