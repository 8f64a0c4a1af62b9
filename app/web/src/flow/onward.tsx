import { Link, type LinkProps, useLocation } from 'react-router'
import * as paths from '../paths.ts'

const START = paths.dashboard

interface Onward {
  readonly after?: string
}

/** What each step of signing in passes to the next: the page that the user wanted, if any. */
export function useOnward(): Onward {
  const { state } = useLocation() as { state: Onward | null }
  return state?.after === undefined ? {} : { after: state.after }
}

/** Where the user goes after signing in: the page they wanted, or the dashboard. */
export function useAfterSignIn(): string {
  return useOnward().after ?? START
}

/** A link to another sign-in form that keeps the page the user wanted. */
export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
