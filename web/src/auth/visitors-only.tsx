import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useAfterSignIn } from '../flow/onward.ts'
import { useAuth } from './use-auth.ts'

interface VisitorsOnlyProps {
  /** While it is not known yet whether the page is for the signed-in too. */
  waits?: boolean
  children: ReactNode
}

/** The signed-in have nothing to do at a sign-in form: they go to the dashboard. */
export function VisitorsOnly({ waits = false, children }: VisitorsOnlyProps) {
  const after = useAfterSignIn()
  const { isAuthenticated } = useAuth()
  // The form stays until the next screen is there: on a slow line the page would be empty in between.
  return (
    <>
      {children}
      {isAuthenticated && !waits && <Navigate to={after} replace />}
    </>
  )
}
