import { useLocation } from 'react-router'
import * as paths from '../paths.ts'

const START = paths.dashboard

interface Onward {
  readonly after?: string
}

/** What each step of the way in hands to the next one: where somebody was on the way to, if anywhere. */
export function useOnward(): Onward {
  const { state } = useLocation() as { state: Onward | null }
  return state?.after === undefined ? {} : { after: state.after }
}

/** Where somebody goes who has signed in: where they were on the way to, or the dashboard. */
export function useAfterSignIn(): string {
  return useOnward().after ?? START
}
