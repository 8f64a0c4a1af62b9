import type { Config } from '../../config/config.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { csrfTokenMatches } from '../../crypto/csrf.ts'
import { FormError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import { csrfViolation } from './csrf-violation.ts'

/**
 * Throws 403 unless a browser's form comes from the browser and the site that opened it. Native apps send neither
 * cookies nor an Origin header.
 */
export function assertOwnCaller(
  { config }: Pick<Context, 'config'>,
  flow: Flow,
  values: Submission['values'],
  caller: Caller,
  { csrfOptional }: { readonly csrfOptional?: true } = {},
): void {
  if (flow.type === 'api') {
    const misuse = misuseOf(config, caller)
    if (misuse) throw new FormError(misuse)
    return
  }
  assertOwnPage(caller, values.csrf_token, { csrfOptional, opened: flow.csrf_token })
}

/** Throws 403 unless a page of this site sends this browser's token, the one that `opened` the form where there is one. */
export function assertOwnPage(
  caller: Caller,
  token: unknown,
  { csrfOptional, opened }: { readonly csrfOptional?: true | undefined; readonly opened?: string } = {},
): void {
  const { sent, foreign_origin, secret } = caller.csrf
  const named =
    token === undefined && csrfOptional
      ? isOwnScript(caller)
      : typeof token === 'string' && csrfTokenMatches(token, secret)
  const genuine =
    sent && !foreign_origin && named && (opened === undefined || csrfTokenMatches(opened, secret))
  if (!genuine) throw csrfViolation(caller, token === undefined ? 'no-token' : 'wrong-token')
}

/** A cross-site page cannot forge these headers. A browser that sends neither needs a token. */
function isOwnScript({ json, origin, csrf }: Caller): boolean {
  return json && origin !== undefined && origin !== 'null' && !csrf.foreign_origin
}

/**
 * A request whose body could not be parsed may be forged, so the response must not contain what another browser has
 * typed (SEC-21).
 */
export function redactFor<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  if (isOwn(flow, caller) || flow.memo.by_operator) return flow
  if (flow.state === 'sent_email' || flow.identity_id !== undefined) throw csrfViolation(caller, 'fetch')
  return { ...flow, memo: { ...flow.memo, values: {} } }
}

/** Whether this browser opened the flow. Always true for native apps: they have no cookie to compare. */
export function isOwn(flow: Flow, caller: Caller): boolean {
  return flow.type === 'api' || csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
}

/** The message for a web page that uses a native app's flow. */
export function misuseOf(config: Config, { origin, has_cookies }: Caller): UiText | undefined {
  if (config.dev_disable_api_flow_enforcement) return undefined
  if (origin !== undefined) return messages.generic(NATIVE_ORIGIN)
  return has_cookies ? messages.generic(NATIVE_COOKIES) : undefined
}

// SEC-37: otherwise a page could use a native flow to bypass the CSRF check.
const NATIVE_ORIGIN =
  'A flow for native apps was used by a web page. Please open a flow for browsers instead.'
const NATIVE_COOKIES =
  'A flow for native apps was used with cookies. Please send none, or open a flow for browsers.'
