import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'

/** For logs, security events and limits. */
export type RequestSource = Pick<
  Caller,
  'request_id' | 'client_address' | 'device' | 'device_cookie' | 'credential'
>

/** The client of one request, independent of HTTP. */
export interface Caller {
  /** Set for scripts that read JSON. A navigating browser gets redirects. */
  readonly json: boolean
  /** Judged by the Accept header alone. */
  readonly accepts_json: boolean
  /** Judged by the Accept header alone, which may be absent. */
  readonly accepts_page: boolean
  /** The path and query below the configured base URL, as reported in `request_url`. */
  readonly url: string
  readonly credential: SessionCredential | undefined
  /** Set once this request has read it. Transactions read it again. */
  readonly session?: LiveSession
  readonly csrf: CallerCsrf
  /** Identifies a browser that returns from a provider or from re-authentication. */
  readonly continuity_cookie: string | undefined
  /** Shared with the log of the embedding server. */
  readonly request_id: string
  /** The IP address after the trusted proxies. `undefined` without a socket. */
  readonly client_address: string | undefined
  /** Set at sign-in and read by `devices/`. */
  readonly device_cookie: string | undefined
  readonly device: { readonly ip_address: string; readonly user_agent: string; readonly location: string }
  /** Only browsers send `Origin` and cookies. */
  readonly origin: string | undefined
  readonly has_cookies: boolean
  /** For web hooks. */
  readonly raw: RawRequest
}

export interface RawRequest {
  readonly method: string
  /** By canonical name (`User-Agent`). */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly cookies: Readonly<Record<string, string>>
}

/** `header` is X-Session-Token, `bearer` is Authorization. */
export interface SessionCredential {
  readonly from: 'header' | 'cookie' | 'bearer'
  readonly token: string
  /** The expiry that the cookie claims, in seconds since 1970. */
  readonly cookie_expires?: number
  /** Stale cookies of the same name, left behind by a changed domain or path. */
  readonly others?: readonly SessionCredential[]
}

export interface LiveSession extends SessionAndIdentity {
  readonly credential: SessionCredential
}

export interface CallerCsrf {
  /** base64 of 32 bytes. The value of the CSRF cookie that was sent or will be set. */
  readonly secret: string
  /** Set if the browser sent the CSRF cookie. */
  readonly sent: boolean
  /** For error details: `cookie_header` reports any Cookie header, `ajax` a script. */
  readonly cookie_header: boolean
  readonly ajax: boolean
  /** The browser itself reports a cross-site request (SEC-34). */
  readonly foreign_origin: boolean
}
