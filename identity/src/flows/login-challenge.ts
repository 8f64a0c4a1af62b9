import { ProtocolError } from '../errors.ts'

/** An OAuth 2.0 server sends people with a `login_challenge`; this service belongs to none. Throws 500 as recorded. */
export function assertNoLoginChallenge(query: URLSearchParams): void {
  if (!query.has('login_challenge')) return
  throw new ProtocolError({
    id: 'invalid_configuration',
    status: 500,
    reason: 'This sign-in was asked for by an OAuth 2.0 server, and none is connected to this service.',
  })
}
