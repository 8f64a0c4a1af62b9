import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { login } from '../../flows/login/login.ts'
import { registration } from '../../flows/registration/registration.ts'
import { handleCallback } from '../../flows/run/callback.ts'
import { followHandoffs } from '../../flows/run/handoff.ts'
import { withKeptDevice } from '../../flows/run/kept-device.ts'
import { leadToApp } from '../../flows/run/native-return.ts'
import { settings } from '../../flows/settings/settings.ts'
import { redirect } from '../redirect.ts'
import type { Http } from '../request.ts'
import { ownPath } from '../request.ts'
import { respond } from '../respond.ts'

/** The redirect back from a provider. Instead of a CSRF token the state and the browser's cookie authenticate it. */
export async function handleProviderCallback(ctx: Context, c: Http): Promise<Response> {
  c.header('Referrer-Policy', 'no-referrer')
  const answer = new URL(c.req.url).searchParams
  const strategy = ctx.strategies.find(({ providers }) => providers)
  if (!strategy?.providers) throw new ProtocolError({ status: 404 })
  const { kind, flow_id } = strategy.providers.findAuthorization(ctx, answer, c.req.param('provider'))
  const caller = await withKeptDevice(ctx, c.get('caller'), kind, flow_id)
  c.set('caller', caller)
  const arrival = { method: strategy.id, flow_id, answer, caller }
  const ending =
    kind === 'login'
      ? await handleCallback(ctx, login, arrival)
      : kind === 'registration'
        ? await handleCallback(ctx, registration, arrival)
        : await handleCallback(ctx, settings, arrival)
  return respond(ctx, c, await leadToApp(ctx, await followHandoffs(ctx, ending, caller)), caller)
}

/**
 * `response_mode=form_post`: a cross-site form is sent without cookies, so the browser is redirected to the same
 * address by GET, which has them.
 */
export async function formToQuery(ctx: Context, c: Http): Promise<Response> {
  const isForm = c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  const form = new URLSearchParams(isForm ? await c.req.text() : '').toString()
  return redirect(c, publicUrl(ctx, ownPath(c) + (form && `?${form}`)), 302)
}
