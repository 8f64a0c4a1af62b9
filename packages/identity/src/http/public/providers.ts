import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { assertOwnPage } from '../../flows/form/csrf.ts'
import { returnFromProvider, signInWith } from '../../flows/run/entries.ts'
import { withKeptDevice } from '../../flows/run/provider-return.ts'
import { flowStages } from '../../flows/run/stages.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { assertOwnAuthorization, parseState } from '../../strategies/oidc/authorization.ts'
import { fedcmProviders, verifyFedcmToken } from '../../strategies/oidc/id-token.ts'
import { oidc } from '../../strategies/oidc/oidc.ts'
import { readSubmission } from '../bodies.ts'
import { redirect } from '../headers.ts'
import { type Http, ownPath } from '../request.ts'
import { respond } from '../respond.ts'

/** The state and the browser's cookie authenticate this request instead of a CSRF token. */
export async function handleProviderCallback(ctx: Context, c: Http): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer')
  const answer = new URL(c.req.url).searchParams
  const { kind, flow_id } = parseState(ctx, answer, c.req.param('provider'))
  const caller = await withKeptDevice(ctx, c.get('caller'), kind, flow_id)
  c.set('caller', caller)
  const assertOwn = (flow: Flow, caller: Caller) => assertOwnAuthorization(flow, answer, caller)
  const returned = { method: oidc.id, flow_id, answer, assertOwn }
  const outcome =
    kind === 'login'
      ? await returnFromProvider(ctx, flowStages.login, returned, caller)
      : kind === 'registration'
        ? await returnFromProvider(ctx, flowStages.registration, returned, caller)
        : await returnFromProvider(ctx, flowStages.settings, returned, caller)
  return respond(ctx, c, outcome, caller)
}

/** Servers refuse longer URLs, and sorting many fields takes long (SEC-63). */
const LONGEST_ANSWER = 8_192

/**
 * For `response_mode=form_post`: cross-site forms carry no cookies, so this redirects to the same
 * address by GET.
 */
export async function formToQuery(ctx: Context, c: Http): Promise<Response> {
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  const text = isForm ? await c.req.text() : ''
  if (text.length > LONGEST_ANSWER)
    throw new ProtocolError({ status: 413, reason: 'The answer of the provider is too long.' })
  const form = new URLSearchParams(text)
  const { searchParams } = new URL(c.req.url)
  // `has` of the form would read all its fields for each parameter.
  const fields = new Set(form.keys())
  // Kratos compatibility: a field of the form takes precedence.
  const query = new URLSearchParams([...form, ...[...searchParams].filter(([name]) => !fields.has(name))])
  query.sort()
  return redirect(c, publicUrl(ctx, ownPath(c) + (query.size > 0 ? `?${query}` : '')), 302)
}

export async function fedcmParameters(ctx: Context, c: Http): Promise<Response> {
  const { csrf } = c.get('caller')
  return c.json({ csrf_token: maskCsrf(csrf.secret), providers: fedcmProviders(ctx, csrf.secret) })
}

export async function fedcmToken(ctx: Context, c: Http): Promise<Response> {
  const caller = c.get('caller')
  const { values } = await readSubmission(c, caller)
  assertOwnPage(caller, values.csrf_token)
  const { token } = values
  if (typeof token !== 'string' || token === '') {
    throw new ProtocolError({ status: 400, reason: 'The token is missing.' })
  }
  const proof = await verifyFedcmToken(ctx, token, caller.csrf.secret)
  return respond(ctx, c, await signInWith(ctx, oidc.id, proof, caller), caller)
}
