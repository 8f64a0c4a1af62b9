import { publicUrl } from '../../config/base-url.ts'
import type { Context, Federation } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { assertOwnPage } from '../../flows/form/csrf.ts'
import { returnFromProvider, signInWith } from '../../flows/run/entries.ts'
import { kinds } from '../../flows/run/kinds.ts'
import { withKeptDevice } from '../../flows/run/provider-return.ts'
import type { Method } from '../../wire/flow.ts'
import { readSubmission } from '../bodies.ts'
import { redirect } from '../headers.ts'
import type { Http } from '../request.ts'
import { ownPath } from '../request.ts'
import { respond } from '../respond.ts'

/** The state and the browser's cookie authenticate this request instead of a CSRF token. */
export async function handleProviderCallback(ctx: Context, c: Http): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer')
  const answer = new URL(c.req.url).searchParams
  const strategy = ctx.strategies.find(({ providers }) => providers)
  if (!strategy?.providers) throw new ProtocolError({ status: 404 })
  const { kind, flow_id } = strategy.providers.findAuthorization(ctx, answer, c.req.param('provider'))
  const caller = await withKeptDevice(ctx, c.get('caller'), kind, flow_id)
  c.set('caller', caller)
  const returned = { method: strategy.id, flow_id, answer }
  const outcome =
    kind === 'login'
      ? await returnFromProvider(ctx, kinds.login, returned, caller)
      : kind === 'registration'
        ? await returnFromProvider(ctx, kinds.registration, returned, caller)
        : await returnFromProvider(ctx, kinds.settings, returned, caller)
  return respond(ctx, c, outcome, caller)
}

/**
 * Supports `response_mode=form_post`. Cross-site forms carry no cookies, so this redirects to the
 * same address by GET, which does.
 */
export async function formToQuery(ctx: Context, c: Http): Promise<Response> {
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  const form = new URLSearchParams(isForm ? await c.req.text() : '').toString()
  return redirect(c, publicUrl(ctx, ownPath(c) + (form && `?${form}`)), 302)
}

export async function fedcmParameters(ctx: Context, c: Http): Promise<Response> {
  const { csrf } = c.get('caller')
  const [, federation] = federated(ctx)
  const providers = federation.providers(ctx, csrf.secret)
  return c.json({ csrf_token: maskCsrf(csrf.secret), providers })
}

export async function fedcmToken(ctx: Context, c: Http): Promise<Response> {
  const caller = c.get('caller')
  const { values } = await readSubmission(c, caller)
  assertOwnPage(caller, values.csrf_token)
  const { token } = values
  if (typeof token !== 'string' || token === '') {
    throw new ProtocolError({ status: 400, reason: 'The token is missing.' })
  }
  const [method, federation] = federated(ctx)
  const proof = await federation.verify(ctx, token, caller.csrf.secret)
  return respond(ctx, c, await signInWith(ctx, method, proof, caller), caller)
}

function federated(ctx: Context): [Method, Federation] {
  const found = ctx.strategies.find(({ providers }) => providers)
  if (!found?.providers) throw new ProtocolError({ status: 404 })
  return [found.id, found.providers.federation]
}
