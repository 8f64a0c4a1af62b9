import { ErrorBoundary, SkipLink, TitleSection, useFocusOnNewScreen } from '@ostiary/ui/internal'
import { useRef } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { AccountScreen } from './account/account-screen.tsx'
import { AccountsScreen } from './accounts/accounts-screen.tsx'
import { AdminBar } from './admin-bar.tsx'
import { Missing } from './admin-screen.tsx'
import { useAccess } from './admin-token.ts'
import { AuditScreen } from './audit/audit-screen.tsx'
import { EmailsScreen } from './emails/emails-screen.tsx'
import { OverviewScreen } from './overview/overview-screen.tsx'
import { adminTexts } from './texts.ts'
import { TokenForm } from './token-form.tsx'

/** The admin page: a client of the admin API without additional rights. */
export function AdminApp() {
  const main = useRef<HTMLElement>(null)
  const { isTokenRequired } = useAccess()
  const { pathname } = useLocation()
  useFocusOnNewScreen(main)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <AdminBar />
      <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col">
        <ErrorBoundary path={pathname} load={loaded}>
          <TitleSection value={adminTexts.admin}>
            {isTokenRequired ? <TokenForm /> : <Screens />}
          </TitleSection>
        </ErrorBoundary>
      </main>
    </div>
  )
}

const loaded = () => Promise.resolve()

function Screens() {
  return (
    <Routes>
      <Route path="/" element={<OverviewScreen />} />
      <Route path="/accounts" element={<AccountsScreen />} />
      <Route path="/accounts/:id" element={<AccountScreen />} />
      <Route path="/emails" element={<EmailsScreen />} />
      <Route path="/audit" element={<AuditScreen />} />
      <Route path="*" element={<Missing {...adminTexts.notFound} to="/" />} />
    </Routes>
  )
}
