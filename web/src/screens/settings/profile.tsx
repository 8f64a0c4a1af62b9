import { AccountArea } from '../../account/account-area.tsx'
import { Profile } from '../../features/profile/profile.tsx'

export function ProfileSettings() {
  return (
    <AccountArea title="Profile" lead="Your name, your email and how the app looks.">
      <Profile />
    </AccountArea>
  )
}
