import { AccountArea } from '../../account/account-area.tsx'
import { Devices } from '../../features/devices/devices.tsx'
import { accountTexts } from '../../texts/account.ts'
import { devicesTexts as texts } from '../../texts/devices.ts'

export function DevicesSettings() {
  return (
    <AccountArea title={accountTexts.pages.devices} lead={texts.lead}>
      <Devices />
    </AccountArea>
  )
}
