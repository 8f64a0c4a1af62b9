import { ProtocolError } from '../../errors/errors.ts'

/**
 * `login_challenge` comes from an OAuth 2.0 server, which this service does not support. Throws 400, because any
 * visitor can send the parameter.
 */
export function assertNoLoginChallenge(query: URLSearchParams): void {
  if (!query.has('login_challenge')) return
  throw new ProtocolError({
    id: 'invalid_configuration',
    status: 400,
    reason: 'This sign-in was requested by an OAuth 2.0 server, which this service does not support.',
  })
}
