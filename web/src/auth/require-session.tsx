import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import * as paths from '../paths.ts'
import { layoutTexts } from '../texts/layout.ts'
import { Page } from '../ui/page.tsx'
import { useAuth } from './use-auth.ts'

interface RequireSessionProps {
  /** Where others go, and come back from when they have signed in. */
  otherwise?: typeof paths.home | typeof paths.login
  children: ReactNode
}

/** Shows its children to the signed-in only; others go where they can sign in, and after signing out to the home page. */
export function RequireSession({ otherwise = paths.home, children }: RequireSessionProps) {
  const { pathname } = useLocation()
  const { session, isAuthenticated, needsSecondFactor, hasSignedOut, isLoading } = useAuth()
  if (session?.isRecovering) return <Navigate to={paths.newPassword} replace state={{ after: pathname }} />
  // While a session is fetched again the page stays: only an unknown visitor waits.
  if (isAuthenticated) return children
  const target = hasSignedOut ? paths.home : needsSecondFactor ? paths.secondFactor : otherwise
  if (!isLoading)
    return <Navigate to={target} replace state={target === paths.home ? null : { after: pathname }} />
  return (
    <Page>
      <div role="status" className="text-muted">
        {/* A page without a heading is hard to find one's way in, also while it waits. */}
        <h1 className="text-16 font-normal tracking-normal">{layoutTexts.loadingSession}</h1>
      </div>
    </Page>
  )
}
