import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { Page } from '../ui/page.tsx'
import { useAuth } from './use-auth.ts'

/** Shows its children to the signed-in only; others go to the home page. */
export function RequireSession({ children }: { children: ReactNode }) {
  const { isAuthenticated, isLoading } = useAuth()
  // While a session is fetched again the page stays: only an unknown visitor waits.
  if (isAuthenticated) return children
  if (!isLoading) return <Navigate to="/" replace />
  return (
    <Page>
      <div role="status" className="text-muted">
        {/* A page without a heading is hard to find one's way in, also while it waits. */}
        <h1 className="text-16 font-normal tracking-normal">Loading authentication...</h1>
      </div>
    </Page>
  )
}
