import { recall, remember } from '@ostiary/react/internal'
import { type FocusEvent, useEffectEvent, useLayoutEffect } from 'react'
import { Link, type LinkProps, type Location, useLocation } from 'react-router'
import type { FormState } from '../ui/form/use-form.ts'

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

export function ReturnTargetLink({ state, ...props }: LinkProps) {
  return <Link {...props} state={{ ...state, ...useReturnTarget() }} />
}

const TYPED = 'typed-addresses'

type AddressForm = Pick<FormState<{ email: string }>, 'read' | 'write'>

/**
 * Fills in the address that was typed at this page in this tab, for Back and reloads. Returns the handler for the
 * blur of its field. Not kept in the history, which stays after a logout.
 */
export function useTypedAddress(form: AddressForm): (event: FocusEvent<HTMLInputElement>) => void {
  const { pathname } = useLocation()
  useFilledIn(form, () => typedAddresses()[pathname])
  return ({ target }) =>
    remember(TYPED, JSON.stringify({ ...typedAddresses(), [pathname]: target.value }), 'sessionStorage')
}

/** Fills in an empty address that has no default. */
export function useFilledIn(form: AddressForm, find: () => string | null | undefined): void {
  const fillIn = useEffectEvent(() => {
    const email = find()
    // A focused field belongs to the user.
    if (!email || form.read().email || document.activeElement instanceof HTMLInputElement) return
    form.write('email', email)
  })
  // Before the next event, which may be typing.
  useLayoutEffect(() => fillIn(), [])
}

function typedAddresses(): Readonly<Record<string, string>> {
  try {
    return Object(JSON.parse(recall(TYPED, 'sessionStorage') ?? '{}'))
  } catch {
    // Another script of the site has written it.
    return {}
  }
}

/** After a login, and on shared computers. */
export function forgetTypedAddresses(): void {
  for (const key of [TYPED, LEFT_FORM]) remember(key, null, 'sessionStorage')
}

const LEFT_FORM = 'left-form'

interface LeftForm {
  /** Of its flow. */
  readonly kind: string | undefined
  readonly email: string | undefined
}

/** A provider returns by a page load, to another page after an error. */
export function rememberFormBeforeProvider({ kind, email }: LeftForm): void {
  remember(LEFT_FORM, `${kind} ${email ?? ''}`, 'sessionStorage')
}

/** The form that led to a provider last in this tab. */
export function readFormBeforeProvider(): LeftForm {
  const [, kind, email] = /^(\w+) (.*)$/s.exec(recall(LEFT_FORM, 'sessionStorage') ?? '') ?? []
  return { kind, email: email || undefined }
}
