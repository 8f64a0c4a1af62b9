import { recall, remember } from '@ostiary/react/flows'
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

const LEFT_FORM = 'left-form'

interface LeftForm {
  /** Of its flow. */
  readonly kind: string | undefined
  readonly email: string | undefined
}

/** A provider returns by a page load, to another page after an error. */
export function rememberForm({ kind, email }: LeftForm): void {
  remember(LEFT_FORM, `${kind} ${email ?? ''}`, 'sessionStorage')
}

/** The form that led to a provider last in this tab. */
export function leftForm(): LeftForm {
  const [, kind, email] = /^(\w+) (.*)$/s.exec(recall(LEFT_FORM, 'sessionStorage') ?? '') ?? []
  return { kind, email: email || undefined }
}
