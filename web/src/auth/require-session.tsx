import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import * as paths from '../paths.ts'
import { layoutTexts } from '../texts/layout.ts'
import { Page } from '../ui/page.tsx'
import { useAuth } from './use-auth.ts'

interface RequireSessionProps {
  /** Where anonymous users go; they return after signing in. */
  otherwise?: typeof paths.home | typeof paths.login
  children: ReactNode
}

/** Shows its children to signed-in users only. Others are redirected, after signing out to the home page. */
export function RequireSession({ otherwise = paths.home, children }: RequireSessionProps) {
  const { pathname } = useLocation()
  const { session, isAuthenticated, needsSecondFactor, hasSignedOut, isLoading } = useAuth()
  if (session?.isRecovering) return <Navigate to={paths.newPassword} replace state={{ after: pathname }} />
  // The page stays while a known session is fetched again.
  if (isAuthenticated) return children
  const target = hasSignedOut ? paths.home : needsSecondFactor ? paths.secondFactor : otherwise
  if (!isLoading)
    return <Navigate to={target} replace state={target === paths.home ? null : { after: pathname }} />
  return (
    <Page>
      <div role="status" className="text-muted">
        {/* Screen readers navigate by headings, also while the page waits. */}
        <h1 className="text-16 font-normal tracking-normal">{layoutTexts.loadingSession}</h1>
      </div>
    </Page>
  )
}
