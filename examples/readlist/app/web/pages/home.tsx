import {
  ButtonLink,
  Page,
  PageHeading,
  RedirectNotice,
  readSettings,
  useAuth,
  useHydrated,
  usePageTitle,
} from '@ostiary/ui'
import { homeTexts as texts } from '../../texts.ts'

export default function Home() {
  const { isAuthenticated } = useAuth()
  usePageTitle(undefined)
  return (
    <Page wide>
      <div className="grid justify-items-start gap-4">
        {!isAuthenticated && (
          <RedirectNotice afterLogout={texts.loggedOut}>{texts.forDashboard}</RedirectNotice>
        )}
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
          <ButtonLink to="/register">{texts.create}</ButtonLink>
          <ButtonLink to="/login" look="neutral">
            {texts.signIn}
          </ButtonLink>
        </div>
      )}
      {(isAuthenticated || isUnknown) && (
        <div className={`mt-4 ${isUnknown ? 'not-hinted:hidden' : ''}`}>
          <ButtonLink to="/dashboard">{texts.openDashboard}</ButtonLink>
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
