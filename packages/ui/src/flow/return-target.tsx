import { recall, remember } from '@ostiary/react/flows'
import type { FocusEvent } from 'react'
import { Link, type LinkProps, type Location, useLocation, useNavigate } from 'react-router'

export interface ReturnTarget {
  /** The page that the user wanted. */
  readonly after: string | undefined
  /** The request of the OAuth 2.0 server that sent the user here. */
  readonly login_challenge: string | undefined
}

/** Each step of a login passes it on. */
export function useReturnTarget(): ReturnTarget {
  const { state } = useLocation() as Location<Partial<ReturnTarget> | null>
  return { after: state?.after, login_challenge: state?.login_challenge }
}

export function OnwardLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useReturnTarget() }} />
}

/** For the blur of an address field: keeps its text in the entry of the history, where Back and a reload find it. */
export function useKeepAddress(): (event: FocusEvent<HTMLInputElement>) => void {
  const navigate = useNavigate()
  const { search, hash, state } = useLocation() as Location<{ email?: string } | null>
  return ({ target: { value: email } }) => {
    if (email === (state?.email ?? '')) return
    void navigate({ search, hash }, { replace: true, state: { ...state, email } })
  }
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
