import { lastRecipient, recipientChoice } from '../../codes/memo.ts'
import type { Config } from '../../config/config.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, CsrfToken, Submission } from '../../contract/contract.ts'
import { csrfTokenMatches, newCsrfSecret } from '../../crypto/csrf.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { withValue } from '../../ui/nodes.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import { isByLink } from './steps.ts'

/** Throws 403 unless a browser submits its own form. Native apps send no cookies and no Origin header. */
export function assertOwnCaller(
  ctx: Context,
  flow: Flow,
  values: Submission['values'],
  caller: Caller,
  token: Exclude<CsrfToken, 'none'> = 'required',
): void {
  if (flow.type === 'api') {
    const misuse = misuseOf(ctx.config, caller)
    if (misuse) throw new FormError(misuse)
    return
  }
  // Kratos compatibility: only a recovery by code that no operator opened replaces the cookie.
  const renews = flow.kind === 'recovery' && !isByLink(ctx, flow) && !flow.memo.by_operator
  const options = { optional: token === 'optional', isOpener: mayUse(flow, caller), renews }
  assertOwnPage(caller, values.csrf_token, options)
}

/** Throws 403 unless a page of this site sends the browser's token. */
export function assertOwnPage(
  caller: Caller,
  token: unknown,
  {
    optional = false,
    isOpener = true,
    renews = false,
  }: { readonly optional?: boolean; readonly isOpener?: boolean; readonly renews?: boolean } = {},
): void {
  const { sent, foreign_origin, secret } = caller.csrf
  const named =
    token === undefined && optional
      ? isOwnScript(caller)
      : typeof token === 'string' && csrfTokenMatches(token, secret)
  if (sent && !foreign_origin && named && isOpener) return
  const { csrf } = renews ? csrfCookieIfMissing(withNewSecret(caller)) : {}
  throw csrfViolation(caller, token === undefined || token === '' ? 'no-token' : 'wrong-token', csrf)
}

/** An emailed code needs no token, because any browser may enter it. Another site's page may not (SEC-19). */
export function assertNoForeignForm(caller: Caller): void {
  if (caller.raw.method === 'POST' && caller.csrf.foreign_origin) throw csrfViolation(caller, 'wrong-token')
}

/** Cross-site pages cannot forge these headers. */
function isOwnScript({ json, origin, csrf }: Caller): boolean {
  return json && origin !== undefined && origin !== 'null' && !csrf.foreign_origin
}

/**
 * A request with an invalid body may be forged: the response must not show another browser's input
 * (SEC-21). A verification of a taken address has no account, so a form with one is answered alike (SEC-13).
 */
export function redactFor<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  if (mayUse(flow, caller) || flow.memo.by_operator) return flow
  if (flow.identity_id !== undefined && flow.kind !== 'verification') throw csrfViolation(caller, 'fetch')
  const { ui, memo, ...others } = lastRecipient.write(recipientChoice.write(flow, undefined), undefined)
  const nodes = (ui.nodes ?? []).map((node) => withValue(node, ''))
  return { ...others, ui: { ...ui, nodes }, memo: { ...memo, values: {} } }
}

/** Always true for native apps, which have no cookies. */
export function isOwn(flow: Flow, caller: Caller): boolean {
  return flow.type === 'api' || csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
}

/** Whoever opens an emailed link takes its form over: perhaps a mail scanner while the user is typing. */
export const openerToken = storedFlowField<string>('opener_token')

export function mayUse(flow: Flow, caller: Caller): boolean {
  return isOwn(flow, caller) || csrfTokenMatches(openerToken.read(flow) ?? '', caller.csrf.secret)
}

export function misuseOf(config: Config, { origin, cookie_names }: Caller): UiText | undefined {
  if (config.dev_disable_api_flow_enforcement) return undefined
  if (origin !== undefined) return messages.generic(NATIVE_ORIGIN)
  return cookie_names.length > 0 ? messages.generic(NATIVE_COOKIES) : undefined
}

// Otherwise a page could bypass the CSRF check with a native flow (SEC-37).
const NATIVE_ORIGIN =
  'A flow for native apps was used by a web page. Please open a flow for browsers instead.'
const NATIVE_COOKIES =
  'A flow for native apps was used with cookies. Please send none, or open a flow for browsers.'

/** Kratos compatibility: a replaced form comes with a new cookie, unless another site sends the request. */
export function withNewSecret(caller: Caller): Caller {
  const { csrf } = caller
  if (csrf.foreign_origin || lacksCookies(caller)) return caller
  return { ...caller, csrf: { ...csrf, sent: false, secret: newCsrfSecret() } }
}

/**
 * A new secret would invalidate the browser's other forms. Cross-site requests carry no cookies, so
 * their responses must not replace them either.
 */
export function csrfCookieIfMissing({ csrf }: Caller): { readonly csrf?: string } {
  return csrf.sent || csrf.foreign_origin ? {} : { csrf: csrf.secret }
}

/**
 * An emailed link in webmail is a cross-site navigation, which may set a missing cookie. Embedded
 * requests lack the browser's cookies.
 */
export function csrfCookieForVisitor(caller: Caller): { readonly csrf?: string } {
  const { csrf } = caller
  return csrf.foreign_origin && (csrf.sent || lacksCookies(caller)) ? {} : { csrf: csrf.secret }
}

/** Whether an image, script, frame or form of another site sends the request, without the browser's Lax cookies. */
export function lacksCookies({ raw: { method, headers } }: Pick<Caller, 'raw'>): boolean {
  const isForeign = headers['Sec-Fetch-Site']?.includes('cross-site') ?? false
  const { 'Sec-Fetch-Dest': dest = [], 'Sec-Fetch-Mode': mode = [] } = headers
  const isVisit = method === 'GET' && dest.every((one) => one === 'document')
  return isForeign && !(isVisit && mode.every((one) => one === 'navigate'))
}

const DOCS = 'https://www.ory.com/kratos/docs/debug/csrf'

/** `details` contain no secret. */
export function csrfViolation(
  caller: Caller,
  problem: 'fetch' | 'no-token' | 'wrong-token' | 'unsafe-method',
  csrf?: string,
): ProtocolError {
  // Kratos compatibility: no reason if the cookie was sent and a token outside JSON is missing.
  const { sent, foreign_origin, ajax } = caller.csrf
  const isTokenMissing = problem === 'no-token' || (problem === 'unsafe-method' && !foreign_origin)
  const isJson = caller.raw.headers['Content-Type']?.[0]?.startsWith('application/json')
  const silent = sent && (problem === 'fetch' || (isTokenMissing && !isJson))
  return new ProtocolError({
    id: 'security_csrf_violation',
    status: 403,
    reason: 'This request may not come from this site. Please reload the page and try again.',
    details: {
      docs: DOCS,
      hint: ajax
        ? 'The request came from a script: send it with credentials and from the same site.'
        : 'Open and submit the form in the same browser, with cookies enabled.',
      ...(silent ? {} : { reject_reason: rejectReason(caller, problem) }),
    },
    ...(csrf === undefined ? {} : { csrf }),
  })
}

function rejectReason({ csrf }: Caller, problem: string): string {
  if (csrf.foreign_origin) return 'The Origin header names a site that is not allowed.'
  if (!csrf.cookie_header) return 'The request contained no cookies.'
  if (!csrf.sent) return 'The request contained cookies, but not the CSRF cookie.'
  if (problem === 'no-token') return 'The csrf_token field is missing.'
  return 'The csrf_token field does not match the cookie.'
}
