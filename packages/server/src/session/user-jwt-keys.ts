import { readFile } from 'node:fs/promises'
import { ProductError } from '../http/errors.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'

const timeoutMs = 5_000

/**
 * Loads the keys from the identity service, or from the configured URL because Ory Kratos does not publish
 * its keys. Throws a `ProductError`.
 */
export async function loadUserJwtKeys(
  identity_jwks_url: string | undefined,
  gateway: Pick<IdentityGateway, 'call'>,
): Promise<unknown> {
  try {
    if (identity_jwks_url !== undefined) return await loadKeySet(new URL(identity_jwks_url))
    const response = await gateway.call('/.well-known/jwks.json', new Headers(JSON_ONLY))
    return await response.json()
  } catch (cause) {
    if (cause instanceof ProductError) throw cause
    const message = 'The keys that check the token cannot be read'
    throw new ProductError('identity_unavailable', 502, message, { cause, retryAfter: 5 })
  }
}

const JSON_ONLY = { accept: 'application/json' }

/** @param url http, https or file */
export async function loadKeySet(url: URL): Promise<unknown> {
  if (url.protocol === 'file:') return JSON.parse(await readFile(url, 'utf8'))
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { headers: JSON_ONLY, redirect: 'error', signal })
  return response.json()
}
