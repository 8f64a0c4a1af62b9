import { YourData } from '../../features/your-data/your-data.tsx'
import { AccountArea } from '../../layout/account-area.tsx'

export function DataSettings() {
  return (
    <AccountArea title="Your data" lead="Take it with you, or have it deleted.">
      <YourData />
    </AccountArea>
  )
}
