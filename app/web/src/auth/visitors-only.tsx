import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useAfterSignIn } from '../flow/onward.ts'
import { useAuth } from './use-auth.ts'

interface VisitorsOnlyProps {
  /** While it is unknown whether the page is for signed-in users too. */
  waits?: boolean
  children: ReactNode
}

/** Redirects signed-in users from a sign-in form to the dashboard. */
export function VisitorsOnly({ waits = false, children }: VisitorsOnlyProps) {
  const after = useAfterSignIn()
  const { isAuthenticated } = useAuth()
  // The form stays until the next screen is loaded: on a slow connection the page would be empty in between.
  return (
    <>
      {children}
      {isAuthenticated && !waits && <Navigate to={after} replace />}
    </>
  )
}
