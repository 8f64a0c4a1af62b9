import { Profile } from '../../features/profile/profile.tsx'
import { AccountArea } from '../../layout/account-area.tsx'

export function ProfileSettings() {
  return (
    <AccountArea title="Profile" lead="Your name, your email and how the app looks.">
      <Profile />
    </AccountArea>
  )
}
