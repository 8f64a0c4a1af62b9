import { z } from 'zod'
import { urlAt } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { failureReason, fetchOf } from '../../events/call.ts'
import { readCapped } from '../../input/plain-text.ts'
import { wantsSecondFactor } from '../../sessions/aal.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { FlowType } from '../../wire/flow.ts'
import { loginUrl } from './urls.ts'

// An Ory Hydra sends the browser here with a `login_challenge`, and accepts the user whom we name.
// https://www.ory.com/docs/hydra/reference/api, `/admin/oauth2/auth/requests/login`

const webUrl = z.url({ protocol: /^https?$/ })
const loginRequest = z.looseObject({ skip: z.boolean(), request_url: webUrl })
const acceptedLogin = z.object({ redirect_to: webUrl })
const refusal = z.object({ error_hint: z.string().default('') })

export interface OAuth2Login {
  readonly challenge: string
  /** As Hydra described it when the flow was opened. */
  readonly request: z.output<typeof loginRequest>
}

export const oauth2Login = storedFlowField<OAuth2Login>('oauth2_login')

/** Undefined without `login_challenge`, and in apps. Throws 400, or 500 if Hydra fails. */
export async function findOAuth2Login(
  ctx: Context,
  query: URLSearchParams,
  type: FlowType,
): Promise<OAuth2Login | undefined> {
  const challenge = query.get('login_challenge')
  if (challenge === null) return undefined
  if (ctx.config.oauth2_provider.url === undefined) throw notConfigured()
  if (challenge === '') throw badRequest('login_challenge is empty.')
  if (type === 'api') return undefined
  const reply = await callHydra(ctx, challenge)
  const request = loginRequest.safeParse(reply.body).data
  if (reply.status === 200 && request) return { challenge, request }
  throw failure(ctx, reply, {
    status: isRefused(reply) ? 400 : 500,
    reason: 'This login request is unknown or has ended. Go back to the app and try again.',
  })
}

/** With `oauth2_provider.override_return_to`, other flows return to the authorization, too. */
export function withReturn(
  { config }: Context,
  query: URLSearchParams,
  login?: OAuth2Login,
): URLSearchParams {
  const next = new URLSearchParams(query)
  const { request_url = '' } = login?.request ?? {}
  if (config.oauth2_provider.override_return_to && request_url !== '') next.set('return_to', request_url)
  return next
}

/** The members that clients see. */
export function publicOAuth2Login(flow: Flow): object {
  const login = oauth2Login.read(flow)
  return login ? { oauth2_login_challenge: login.challenge, oauth2_login_request: login.request } : {}
}

/**
 * Accepts the request for the session's user and returns Hydra's URL. Returns the login's URL while the session is
 * missing or lacks its second factor, and `restart`, if given, once the request has ended. Throws 500 if Hydra fails.
 */
export async function continueOAuth2Login(
  ctx: Context,
  { challenge }: OAuth2Login,
  foundSession: SessionAndIdentity | undefined,
  restart?: string,
): Promise<string> {
  if (!foundSession) return loginUrl(ctx, { login_challenge: challenge })
  if (wantsSecondFactor(ctx, foundSession)) return loginUrl(ctx, { aal: 'aal2', login_challenge: challenge })
  const { lifespan, cookie } = ctx.config.session
  const reply = await callHydra(ctx, challenge, {
    subject: foundSession.identity.id,
    identity_provider_session_id: foundSession.session.id,
    amr: foundSession.session.methods.map(({ method }) => method),
    remember: cookie.persistent,
    remember_for: Math.floor(lifespan / 1000),
  })
  const accepted = acceptedLogin.safeParse(reply.body).data
  if (reply.status === 200 && accepted) return accepted.redirect_to
  if (restart !== undefined && isRefused(reply)) return restart
  throw failure(ctx, reply, {
    status: 500,
    reason: 'The login could not be completed. Go back to the app and try again.',
  })
}

function isRefused({ status }: Reply): boolean {
  return status !== undefined && status >= 400 && status < 500
}

interface Reply {
  /** Undefined without a response. */
  readonly status?: number
  readonly body?: unknown
  readonly cause?: unknown
}

/** Our response is due within five seconds (FLT-08). */
const TIMEOUT_MS = 4500
/** Visitors choose its `request_url`, and each flow stores it. */
const LONGEST = 16 * 1024

async function callHydra(ctx: Context, login_challenge: string, acceptance?: object): Promise<Reply> {
  const { url = '', headers } = ctx.config.oauth2_provider
  const path = `/admin/oauth2/auth/requests/login${acceptance ? '/accept' : ''}`
  const fetch = fetchOf(ctx, { target: 'oauth2_provider' })
  let status: number | undefined
  try {
    const response = await fetch(`${urlAt(url, path)}?${new URLSearchParams({ login_challenge })}`, {
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      ...(acceptance && { method: 'PUT', body: JSON.stringify(acceptance) }),
      // The headers are for the configured host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
    const text = String(await readCapped(response.body, LONGEST))
    // Kratos compatibility: omits members that are null.
    return { status, body: JSON.parse(text, (_, value) => value ?? undefined) }
  } catch (cause) {
    return { ...(status !== undefined && { status }), cause }
  }
}

function failure(
  { log }: Context,
  { status: status_code, body, cause }: Reply,
  parts: { readonly status: number; readonly reason: string },
): ProtocolError {
  const oauth2_error_hint = refusal.safeParse(body).data?.error_hint ?? ''
  if (parts.status === 500) {
    const reason = cause === undefined ? oauth2_error_hint : failureReason(cause)
    log.warn({ status: status_code, reason }, 'the OAuth 2.0 server did not answer as expected')
  }
  return new ProtocolError({
    ...parts,
    ...(status_code !== undefined && { details: { oauth2_error_hint, status_code } }),
    cause,
  })
}

/** 400, because any visitor can send the parameter. */
function notConfigured(): ProtocolError {
  return new ProtocolError({
    id: 'invalid_configuration',
    status: 400,
    reason: 'This service is not set up for OAuth 2.0 logins. Contact support.',
  })
}
