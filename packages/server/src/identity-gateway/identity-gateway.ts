import type { Identity } from '@ostiary/identity'
import type { Hono } from 'hono'

export interface IdentityGateway {
  mountOn(app: Hono): void
  /** Sends a request of the product itself. The path is relative to `/.ory`. */
  call(path: string, headers: Headers): Promise<Response>
  /** Without a trailing slash. */
  issuer(): Promise<string>
  /** Absent if the service reveals that only to the session's owner. */
  readonly isLive?: (session_id: string) => Promise<boolean>
  /** Whether the session came from a recovery and its user has set no credential since. Absent if unknown. */
  readonly isRecovering?: (session_id: string) => Promise<boolean>
  isReady(): Promise<boolean>
}

export const identityPrefix = '/.ory'

export function embeddedGateway(
  identity: Pick<Identity, 'publicApp' | 'isLiveSession' | 'isReady' | 'config' | 'account'>,
): IdentityGateway {
  return {
    mountOn: (app) => {
      app.route(identityPrefix, identity.publicApp)
    },
    call: async (path, headers) => identity.publicApp.request(path, { headers }),
    issuer: async () => identity.config.serve.public.base_url.replace(/\/$/, ''),
    isReady: () => identity.isReady(),
    isLive: (session_id) => identity.isLiveSession(session_id),
    isRecovering: (session_id) => identity.account.isRecovering(session_id),
  }
}
