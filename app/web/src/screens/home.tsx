import { readSettings } from '../api/env.ts'
import { RedirectNotice } from '../auth/access.tsx'
import { useAuth } from '../auth/use-auth.ts'
import arches from '../features/showcase/arches.svg' // sample
import { Showcase } from '../features/showcase/showcase.tsx' // sample
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
      <div className="grid gap-12 sm:gap-16">
        <div className="flex items-center justify-between gap-8">
          <div className="grid justify-items-start gap-4">
            {!isAuthenticated && <RedirectNotice>{texts.forDashboard}</RedirectNotice>}
            <PageHeading>{texts.heading}</PageHeading>
            <div className="grid gap-1 text-18 text-muted">
              <p>{texts.lead}</p>
              {/* sample */}
              <p>{texts.more}</p>
            </div>
            <NextStep />
            <DemoDoors />
          </div>
          {/* sample */}
          <img src={arches} alt="" width="240" height="144" className="max-md:hidden" />
        </div>
        {/* sample */}
        <Showcase />
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
        <div className={`mt-4 flex gap-3 ${isUnknown ? 'hinted:hidden' : ''}`}>
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

/** Open the demo panel, which follows the hash. */
function DemoDoors() {
  const isShown = useHydrated() && readSettings().demo
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-4 text-14">
      {isShown && (
        <>
          <span className="text-amber">{texts.demo}</span>
          {texts.doors.map(({ href, label }) => (
            <a key={href} href={href} className="link">
              {label}
            </a>
          ))}
        </>
      )}
    </div>
  )
}
