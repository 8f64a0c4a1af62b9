import { Link, type LinkProps } from 'react-router'
import { useOnward } from './onward.ts'

/** A link to another sign-in form that keeps the page the user wanted. */
export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
