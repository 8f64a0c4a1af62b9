import { ProtocolError } from '../../errors.ts'

/**
 * An OAuth 2.0 server sends users with a `login_challenge`; this service belongs to none. Throws 400: any visitor can
 * write the parameter, so it is no failure of the service.
 */
export function assertNoLoginChallenge(query: URLSearchParams): void {
  if (!query.has('login_challenge')) return
  throw new ProtocolError({
    id: 'invalid_configuration',
    status: 400,
    reason: 'This sign-in was asked for by an OAuth 2.0 server, and none is connected to this service.',
  })
}
