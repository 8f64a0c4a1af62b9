import { Link, type LinkProps, useLocation } from 'react-router'
import * as paths from '../paths.ts'

const START = paths.dashboard

interface Onward {
  readonly after?: string
}

/** The page that the user wanted, which each step of a login passes on. */
export function useOnward(): Onward {
  const { state } = useLocation() as { state: Onward | null }
  return state?.after === undefined ? {} : { after: state.after }
}

export function useAfterSignIn(): string {
  return useOnward().after ?? START
}

export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
