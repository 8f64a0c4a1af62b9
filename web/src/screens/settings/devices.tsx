import { AccountArea } from '../../account/account-area.tsx'
import { Devices } from '../../features/devices/devices.tsx'

export function DevicesSettings() {
  return (
    <AccountArea title="Devices" lead="Where you’re signed in. Sign out what you don’t use or don’t know.">
      <Devices />
    </AccountArea>
  )
}
