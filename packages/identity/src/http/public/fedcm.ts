import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import type { Federation } from '../../contract/provider.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { assertOwnPage } from '../../flows/form/csrf.ts'
import { login } from '../../flows/login/login.ts'
import { followHandoffs } from '../../flows/run/handoff.ts'
import { begin } from '../../flows/run/open.ts'
import type { Method } from '../../wire/flow.ts'
import type { Http } from '../request.ts'
import { readSubmission } from '../request.ts'
import { respond } from '../respond.ts'

/** The parameters for the browser's account chooser. */
export async function fedcmParameters(ctx: Context, c: Http): Promise<Response> {
  const { csrf } = c.get('caller')
  const [, federation] = federated(ctx)
  const providers = federation.providers(ctx, csrf.secret)
  return c.json({ csrf_token: maskCsrf(csrf.secret), providers })
}

/** Signs a user in, or registers them, with the token of the browser's account chooser. */
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
  const request = { type: 'browser' as const, request_url: publicUrl(ctx, caller.url) }
  const flow = await begin(ctx, login, request, {}, caller)
  const ending = await followHandoffs(ctx, { kind: 'handoff', flow, into: 'login', method, proof }, caller)
  return respond(ctx, c, ending, caller)
}

function federated(ctx: Context): [Method, Federation] {
  const found = ctx.strategies.find(({ providers }) => providers)
  if (!found?.providers) throw new ProtocolError({ status: 404 })
  return [found.id, found.providers.federation]
}
