import { Link } from 'react-router'
import { RequireSession } from '../auth/require-session.tsx'
import { readSettings } from '../env.ts'
import { WelcomeBack } from '../features/recover-account/welcome-back.tsx'
import { useProtectedUser } from '../features/repositories/check-protected-user.ts'
import { RepositoryList } from '../features/repositories/repository-list.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function Dashboard() {
  usePageTitle('Dashboard')
  return (
    <RequireSession>
      <Protected />
    </RequireSession>
  )
}

function Protected() {
  useProtectedUser()
  return (
    <Page wide>
      <WelcomeBack />
      <div className="mb-8 grid gap-2">
        <PageHeading>Dashboard Page</PageHeading>
        <p className="text-muted">Welcome to your dashboard! This is a protected route.</p>
        <p>
          <Link to="/settings" className="link inline-flex min-h-11 items-center text-14">
            Account settings
          </Link>
        </p>
      </div>
      <RepositoryList user={readSettings().dashboard_user} />
    </Page>
  )
}
