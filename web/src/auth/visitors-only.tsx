import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useAuth } from './use-auth.ts'

/** The signed-in have nothing to do at a sign-in form: they go to the dashboard. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  return useAuth().isAuthenticated ? <Navigate to="/dashboard" replace /> : children
}
