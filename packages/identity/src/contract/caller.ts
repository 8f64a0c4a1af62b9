import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'

/** The origin of a request, for logs, security events and limits. */
export type RequestSource = Pick<
  Caller,
  'request_id' | 'client_address' | 'device' | 'device_cookie' | 'credential'
>

/** The client behind one request, independent of HTTP. */
export interface Caller {
  /** A script that reads JSON. A navigating browser gets redirects. */
  readonly json: boolean
  /** The Accept header alone prefers JSON. */
  readonly accepts_json: boolean
  /** The Accept header alone prefers HTML, or is absent. */
  readonly accepts_page: boolean
  /** The path and query of the request below the configured base URL, as `request_url` reports it. */
  readonly url: string
  readonly credential: SessionCredential | undefined
  /** The session of the credential, once this request has read it; a transaction reads it again. */
  readonly session?: LiveSession
  readonly csrf: CallerCsrf
  /** The cookie of a browser that is expected back from a provider or from re-authentication. */
  readonly continuity_cookie: string | undefined
  /** Shared with the log of the embedding server. */
  readonly request_id: string
  /** The IP address after the trusted proxies; undefined without a socket. */
  readonly client_address: string | undefined
  /** The device cookie, set when a user signs in. `devices/` reads it. */
  readonly device_cookie: string | undefined
  readonly device: { readonly ip_address: string; readonly user_agent: string; readonly location: string }
  /** Only browsers send `Origin` and cookies; native apps send neither. */
  readonly origin: string | undefined
  readonly has_cookies: boolean
  /** The raw request, for web hooks. */
  readonly raw: RawRequest
}

export interface RawRequest {
  readonly method: string
  /** By canonical name (`User-Agent`). */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly cookies: Readonly<Record<string, string>>
}

/** A session token and where the client sent it: `header` is X-Session-Token, `bearer` is Authorization. */
export interface SessionCredential {
  readonly from: 'header' | 'cookie' | 'bearer'
  readonly token: string
  /** The expiry that the cookie claims for its session, in seconds since 1970. */
  readonly cookie_expires?: number
  /** Further cookies of the same name: a changed domain or path leaves stale ones behind. */
  readonly others?: readonly SessionCredential[]
}

/** An active session, and the credential that the request presented for it. */
export interface LiveSession extends SessionAndIdentity {
  readonly credential: SessionCredential
}

export interface CallerCsrf {
  /** base64 of 32 bytes: the value of the CSRF cookie, or the one that this response sets. */
  readonly secret: string
  /** Whether the browser sent the CSRF cookie. */
  readonly sent: boolean
  /** For error details: whether there was a Cookie header at all, and whether a script sent the request. */
  readonly cookie_header: boolean
  readonly ajax: boolean
  /** The browser itself reports a cross-site request (SEC-34). */
  readonly foreign_origin: boolean
}
