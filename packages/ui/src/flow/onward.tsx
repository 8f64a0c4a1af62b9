import { Link, type LinkProps, type Location, useLocation } from 'react-router'

export interface Onward {
  /** The page that the user wanted. */
  readonly after: string | undefined
  /** The request of the OAuth 2.0 server that sent the user here. */
  readonly login_challenge: string | undefined
}

/** Each step of a login passes it on. */
export function useOnward(): Onward {
  const { state } = useLocation() as Location<Partial<Onward> | null>
  return { after: state?.after, login_challenge: state?.login_challenge }
}

export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
