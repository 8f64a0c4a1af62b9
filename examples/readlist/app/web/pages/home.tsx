import { ButtonLink, DemoDoor, Page, PageHeading, RedirectNotice, usePageTitle } from '@ostiary/ui'
import { homeTexts as texts } from '../../texts.ts'

export default function Home() {
  usePageTitle(undefined)
  return (
    <Page wide>
      <div className="grid justify-items-start gap-4">
        <RedirectNotice afterLogout={texts.loggedOut}>{texts.forDashboard}</RedirectNotice>
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-18 text-muted">{texts.lead}</p>
        {/* Both are prerendered. Styles know who has a session before scripts run. */}
        <div className="mt-4 flex flex-wrap gap-3 hinted:hidden">
          <ButtonLink to="/register">{texts.create}</ButtonLink>
          <ButtonLink to="/login" look="neutral">
            {texts.signIn}
          </ButtonLink>
        </div>
        <div className="mt-4 not-hinted:hidden">
          <ButtonLink to="/dashboard">{texts.openDashboard}</ButtonLink>
        </div>
        <DemoDoor />
      </div>
    </Page>
  )
}
