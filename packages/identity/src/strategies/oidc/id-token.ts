import * as oauth from 'oauth4webapi'
import type { Context } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { Claims } from './claims.ts'
import { normaliseClaims } from './claims.ts'
import { isSubject } from './exchange.ts'
import { kindOf } from './providers/all.ts'
import type { ProviderConfig } from './providers/provider.ts'
import type { Remote } from './remote.ts'
import { loadRemote } from './remote.ts'
import { verifySignature, withProviderErrors } from './signature.ts'

/**
 * Throws `ProtocolError` 400 if the provider issues no ID tokens or the nonce does not match, and 403 if the token is
 * not genuine.
 */
export async function verifyIdToken(
  ctx: Context,
  config: ProviderConfig,
  token: string,
  nonce: string | undefined,
): Promise<Claims> {
  const kind = kindOf(config)
  if (!kind.takesTokens)
    throw refusal('This provider gives no ID tokens to apps. Please sign in on its page.')
  const claims = kind.readToken
    ? kind.readToken(ctx, token)
    : await verify(await loadRemote(ctx, config), token)
  if (typeof claims.nonce === 'string' && claims.nonce !== nonce) {
    throw refusal('The nonce of the ID token does not match.')
  }
  const named = normaliseClaims(claims, claims)
  if (!isSubject(named.sub)) throw refusal('The ID token has no valid subject.')
  return named
}

async function verify(remote: Remote, token: string): Promise<Claims> {
  const audiences = [remote.config.client_id, ...remote.config.additional_id_token_audiences]
  const { aud, nonce } = readUnverified(token)
  const client_id = audiences.find((one) => aud.includes(one))
  if (client_id === undefined) throw notGenuine()
  try {
    return await withProviderErrors(remote, async () => {
      const response = answerWith(token)
      const expected = nonce === undefined ? {} : { expectedNonce: nonce }
      const { server } = remote
      const tokens = await oauth.processAuthorizationCodeResponse(server, { client_id }, response, expected)
      await verifySignature(remote, response)
      return oauth.getValidatedIdTokenClaims(tokens) ?? {}
    })
  } catch (error) {
    throw error instanceof FormError ? notGenuine() : error
  }
}

/** Only used to select the verification keys. */
export function readUnverified(token: string): { aud: readonly unknown[]; iss?: unknown; nonce?: string } {
  try {
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims
    const aud = Array.isArray(payload.aud) ? payload.aud : [payload.aud]
    const nonce = typeof payload.nonce === 'string' ? { nonce: payload.nonce } : {}
    return { aud, iss: payload.iss, ...nonce }
  } catch (cause) {
    throw new ProtocolError({ status: 403, reason: NOT_GENUINE, cause })
  }
}

function answerWith(id_token: string): Response {
  const body = JSON.stringify({ access_token: 'none', token_type: 'bearer', id_token })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

const NOT_GENUINE =
  'The ID token is not from this provider, not for this site, or expired. Please sign in again.'

function notGenuine(): ProtocolError {
  return new ProtocolError({ status: 403, reason: NOT_GENUINE })
}

/** The caller sent the token, so the provider is not at fault. */
function refusal(reason: string): ProtocolError {
  return new ProtocolError({ id: 'upstream_error', status: 400, reason })
}
