import { AccountArea } from '../../account/account-area.tsx'
import { Activity } from '../../features/activity/activity.tsx'

export function ActivitySettings() {
  return (
    <AccountArea title="Activity" lead="What happened with your account in the last 90 days.">
      <Activity />
    </AccountArea>
  )
}
