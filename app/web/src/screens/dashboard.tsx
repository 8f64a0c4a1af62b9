import { readSettings } from '../api/env.ts'
import { ScheduledDeletion, useDueDate, WelcomeBack } from '../features/account-area/account-notices.tsx'
import { PasskeyOffer } from '../features/dashboard/passkey-offer.tsx'
import { dashboardTexts as texts } from '../features/dashboard/texts.ts'
import { useProtectedUser, useRepositories } from '../features/repositories/list-repositories.ts'
import { RepositoryList } from '../features/repositories/repository-list.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Screen() {
  usePageTitle(texts.title)
  useProtectedUser()
  const user = readSettings().dashboard_user
  const { isPending } = useRepositories(user)
  const isHeldBack = useDueDate() !== null
  return (
    <Page wide>
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      <WelcomeBack />
      <ScheduledDeletion />
      <RepositoryList user={user} />
      {/* Not with the question whether to keep the account, and not where the list will be. */}
      {!isPending && <PasskeyOffer isHeldBack={isHeldBack} />}
    </Page>
  )
}
