import { Link, type LinkProps } from 'react-router'
import { useOnward } from './onward.ts'

/** A link to another form of signing in; the page that the user was on the way to is not lost. */
export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
