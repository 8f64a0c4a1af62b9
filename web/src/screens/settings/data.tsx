import { AccountArea } from '../../account/account-area.tsx'
import { YourData } from '../../features/your-data/your-data.tsx'

export function DataSettings() {
  return (
    <AccountArea title="Your data" lead="Take it with you, or have it deleted.">
      <YourData />
    </AccountArea>
  )
}
