import type { Identity } from '@ostiary/identity'
import type { Hono } from 'hono'

export interface IdentityGateway {
  mountOn(app: Hono): void
  /** The session of these credentials. */
  checkSession(credentials: Headers): Promise<SessionAnswer>
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

/** The status of whoami, and its session with status 200. */
export interface SessionAnswer {
  readonly status: number
  readonly session?: CheckedSession
  /** In seconds. */
  readonly retry_after?: number
}

interface CheckedSession {
  readonly id: string
  readonly identity: {
    readonly id: string
    readonly traits: Readonly<Record<string, unknown>>
    readonly metadata_public?: unknown
  }
}

export const identityPrefix = '/.ory'

export function embeddedGateway(
  identity: Pick<Identity, 'publicApp' | 'checkSession' | 'isLiveSession' | 'isReady' | 'config' | 'account'>,
): IdentityGateway {
  return {
    mountOn: (app) => {
      app.route(identityPrefix, identity.publicApp)
    },
    checkSession: (credentials) => identity.checkSession(credentials),
    call: async (path, headers) => identity.publicApp.request(path, { headers }),
    issuer: async () => identity.config.serve.public.base_url.replace(/\/$/, ''),
    isReady: () => identity.isReady(),
    isLive: (session_id) => identity.isLiveSession(session_id),
    isRecovering: (session_id) => identity.account.isRecovering(session_id),
  }
}
