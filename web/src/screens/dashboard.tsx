import { RequireSession } from '../auth/require-session.tsx'
import { readSettings } from '../env.ts'
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
      <div className="mb-8 grid gap-2">
        <PageHeading>Dashboard Page</PageHeading>
        <p className="text-muted">Welcome to your dashboard! This is a protected route.</p>
      </div>
      <RepositoryList user={readSettings().dashboard_user} />
    </Page>
  )
}
