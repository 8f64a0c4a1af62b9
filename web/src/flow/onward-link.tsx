import { Link, type LinkProps } from 'react-router'
import { useOnward } from './onward.ts'

/** A link to another form of the way in, after which somebody still comes to where they were on the way to. */
export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useOnward() }} />
}
