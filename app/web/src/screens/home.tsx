import { RedirectNotice } from '../auth/access.tsx'
import { useAuth } from '../auth/use-auth.ts'
import { ClaimList } from '../features/showcase/claim-list.tsx'
import { Showcase } from '../features/showcase/showcase.tsx'
import * as paths from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'
import { homeTexts as texts } from './home-texts.ts'

export function Screen() {
  const { isAuthenticated } = useAuth()
  usePageTitle(undefined)
  return (
    <Page wide>
      <div className="grid gap-12 sm:gap-16">
        <div className="grid justify-items-start gap-4">
          {!isAuthenticated && <RedirectNotice>{texts.forDashboard}</RedirectNotice>}
          <PageHeading>{texts.heading}</PageHeading>
          <div className="grid gap-1 text-18 text-muted">
            <p>{texts.lead}</p>
            <p>{texts.more}</p>
          </div>
          <div className="mt-4 flex flex-wrap gap-3">
            <NextStep isAuthenticated={isAuthenticated} />
          </div>
        </div>
        <Showcase />
        <ClaimList />
      </div>
    </Page>
  )
}

/** Prerendered, because scripts load much later on a slow connection. */
function NextStep({ isAuthenticated }: { isAuthenticated: boolean }) {
  if (isAuthenticated) {
    return (
      <>
        <ButtonLink to={paths.dashboard}>{texts.openDashboard}</ButtonLink>
        <ButtonLink to={paths.settings} look="neutral">
          {texts.openAccount}
        </ButtonLink>
      </>
    )
  }
  return (
    <>
      <ButtonLink to={paths.register}>{texts.create}</ButtonLink>
      <ButtonLink to={paths.login} look="neutral">
        {texts.signIn}
      </ButtonLink>
    </>
  )
}
