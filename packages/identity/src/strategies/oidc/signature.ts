import * as oauth from 'oauth4webapi'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { providerError, unusable } from './problems.ts'
import type { Remote } from './remote.ts'

/** Fetches rotated keys once. */
export async function verifySignature(remote: Remote, response: Response): Promise<void> {
  const verify = (server: oauth.AuthorizationServer) =>
    oauth.validateApplicationLevelSignature(server, response, remote.options)
  await withProviderErrors(remote, async () => {
    try {
      await verify(remote.server)
    } catch (error) {
      const fresh = codeOf(error) === oauth.KEY_SELECTION ? remote.withFreshKeys() : undefined
      if (!fresh) throw error
      await verify(fresh)
    }
  })
}

export async function withProviderErrors<T>(
  { config }: Pick<Remote, 'config'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof FormError) throw error
    if (UNTRUSTED.has(codeOf(error)) || isWrongSignature(error)) {
      throw providerError(config, 'Its response could not be verified. Please try again.')
    }
    throw unusable(config, 'a request was rejected or its response is invalid', error)
  }
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.KEY_SELECTION,
])

/** The library reports unreadable keys with the same code, but without a signature. */
function isWrongSignature(error: unknown): boolean {
  const cause: unknown = error instanceof oauth.OperationProcessingError ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'signature' in cause
}

function codeOf(error: unknown): string {
  return error instanceof oauth.OperationProcessingError ? (error.code ?? '') : ''
}
