import { AccountArea } from '../../account/account-area.tsx'
import { Profile } from '../../features/profile/profile.tsx'
import { accountTexts } from '../../texts/account.ts'
import { profileTexts as texts } from '../../texts/profile.ts'

export function ProfileSettings() {
  return (
    <AccountArea title={accountTexts.pages.profile} lead={texts.lead}>
      <Profile />
    </AccountArea>
  )
}
