import * as product from '../../../../app.config.ts' // sample
import { readSettings } from '../api/env.ts' // sample
import { ScheduledDeletion, useDueDate, WelcomeBack } from '../features/account-area/account-notices.tsx'
import { PasskeyOffer } from '../features/dashboard/passkey-offer.tsx'
import { dashboardTexts as texts } from '../features/dashboard/texts.ts'
import { useProtectedUser, useRepositories } from '../features/repositories/list-repositories.ts' // sample
import { RepositoryList } from '../features/repositories/repository-list.tsx' // sample
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Screen() {
  usePageTitle(texts.title)
  // #region sample
  useProtectedUser()
  const user = `${readSettings().own.DASHBOARD_USER ?? product.dashboardUser}`
  const { isPending } = useRepositories(user)
  // #endregion sample
  const isHeldBack = useDueDate() !== null
  return (
    <Page wide>
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      <WelcomeBack />
      <ScheduledDeletion />
      {/* sample */}
      <RepositoryList user={user} />
      {/* Not with the question whether to keep the account. */}
      <PasskeyOffer
        isHeldBack={isHeldBack}
        isPending={isPending} // sample
      />
    </Page>
  )
}
