import { useLocation } from 'react-router'

export const START = '/dashboard'

/** Where somebody goes who has signed in: where they were on the way to, or the dashboard. */
export function useAfterSignIn(): string {
  const { state } = useLocation() as { state: { after?: string } | null }
  return state?.after ?? START
}
