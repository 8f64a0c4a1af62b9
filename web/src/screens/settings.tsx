import { RequireSession } from '../auth/require-session.tsx'
import { WelcomeBack } from '../features/recover-account/welcome-back.tsx'
import { AccountSettings } from '../features/settings/account-settings.tsx'
import { FormPage, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Settings() {
  usePageTitle('Settings')
  return (
    <RequireSession otherwise="/login">
      <FormPage>
        <WelcomeBack />
        <div className="mb-8">
          <PageHeading small>Settings</PageHeading>
        </div>
        <AccountSettings />
      </FormPage>
    </RequireSession>
  )
}
