import { ScheduledDeletion } from '../account/scheduled-deletion.tsx'
import { WelcomeBack } from '../account/welcome-back.tsx'
import { readSettings } from '../env.ts'
import { PasskeyOffer } from '../features/passkey-offer/passkey-offer.tsx'
import { useProtectedUser } from '../features/repositories/check-protected-user.ts'
import { RepositoryList } from '../features/repositories/repository-list.tsx'
import { dashboardTexts as texts } from '../texts/dashboard.ts'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Dashboard() {
  usePageTitle(texts.title)
  useProtectedUser()
  return (
    <Page wide>
      <WelcomeBack />
      <ScheduledDeletion />
      <PasskeyOffer />
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      <RepositoryList user={readSettings().dashboard_user} />
    </Page>
  )
}
