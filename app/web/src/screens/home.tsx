import { readSettings } from '../api/env.ts'
import { RedirectNotice } from '../auth/access.tsx'
import { useAuth } from '../auth/use-auth.ts'
import * as paths from '../paths.ts'
import { useHydrated } from '../ui/browser.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'
import { homeTexts as texts } from './home-texts.ts'

export function Screen() {
  const { isAuthenticated } = useAuth()
  usePageTitle(undefined)
  return (
    <Page wide>
      <div className="grid justify-items-start gap-4">
        {!isAuthenticated && <RedirectNotice>{texts.forDashboard}</RedirectNotice>}
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-18 text-muted">{texts.lead}</p>
        <NextStep />
        <DemoDoor />
      </div>
    </Page>
  )
}

/** Prerendered for both cases, because scripts load much later on a slow connection. `theme.js` knows which. */
function NextStep() {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  const isUnknown = isLoading && !isAuthenticated && !isUnreachable
  return (
    <>
      {!isAuthenticated && (
        <div className={`mt-4 flex flex-wrap gap-3 ${isUnknown ? 'hinted:hidden' : ''}`}>
          <ButtonLink to={paths.register}>{texts.create}</ButtonLink>
          <ButtonLink to={paths.login} look="neutral">
            {texts.signIn}
          </ButtonLink>
        </div>
      )}
      {(isAuthenticated || isUnknown) && (
        <div className={`mt-4 ${isUnknown ? 'not-hinted:hidden' : ''}`}>
          <ButtonLink to={paths.dashboard}>{texts.openDashboard}</ButtonLink>
        </div>
      )}
    </>
  )
}

/** Keeps its height until the settings are known. */
function DemoDoor() {
  const isShown = useHydrated() && readSettings().demo
  return (
    <p className="min-h-11 text-14 text-muted">
      {isShown && (
        <a href="/demo" className="link">
          {texts.demo}
        </a>
      )}
    </p>
  )
}
