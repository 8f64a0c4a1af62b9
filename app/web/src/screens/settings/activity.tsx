import { AccountArea } from '../../account/account-area.tsx'
import { Activity } from '../../features/activity/activity.tsx'
import { accountTexts } from '../../texts/account.ts'
import { activityTexts as texts } from '../../texts/activity.ts'

export function ActivitySettings() {
  return (
    <AccountArea title={accountTexts.pages.activity} lead={texts.lead}>
      <Activity />
    </AccountArea>
  )
}
