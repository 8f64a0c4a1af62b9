import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'

export type RequestSource = Pick<
  Caller,
  'request_id' | 'client_address' | 'device' | 'device_cookie' | 'credential' | 'operator'
>

export interface Caller {
  /** Navigating browsers get redirects instead. */
  readonly json: boolean
  readonly accepts_json: boolean
  /** Judged by the Accept header, which may be absent. */
  readonly accepts_page: boolean
  /** Path and query below the configured base URL. */
  readonly url: string
  readonly credential: SessionCredential | undefined
  /** Transactions read it again. */
  readonly session?: LiveSession
  readonly csrf: CallerCsrf
  /** Each identifies a browser that returns from a provider or re-authenticates. */
  readonly continuity_tokens: readonly string[]
  readonly request_id: string
  /** Behind trusted proxies. `undefined` without a socket. */
  readonly client_address: string | undefined
  readonly device_cookie: string | undefined
  readonly device: { readonly ip_address: string; readonly user_agent: string; readonly location: string }
  /** Only browsers send `Origin` and cookies. */
  readonly origin: string | undefined
  readonly cookie_names: readonly string[]
  readonly raw: RawRequest
  /** A provider redirected it, perhaps for an app. */
  readonly returns?: true
  readonly operator?: Operator | undefined
}

export interface Operator {
  readonly name?: string
  readonly role: 'read' | 'support' | 'full'
}

export interface RawRequest {
  readonly method: string
  /** Keyed by canonical name. */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly cookies: Readonly<Record<string, string>>
}

/** `header` is X-Session-Token, `bearer` is Authorization. */
export interface SessionCredential {
  readonly from: 'header' | 'cookie' | 'bearer'
  readonly token: string
  /** The expiry that the cookie claims, in seconds since 1970. */
  readonly cookie_expires?: number
  /** Left behind by a changed domain or path. */
  readonly others?: readonly SessionCredential[]
}

export interface LiveSession extends SessionAndIdentity {
  readonly credential: SessionCredential
}

export interface CallerCsrf {
  /** base64 of 32 bytes, sent by the browser or set by this response. */
  readonly secret: string
  readonly sent: boolean
  /** For error details: any Cookie header, and a request by a script. */
  readonly cookie_header: boolean
  readonly ajax: boolean
  /** The browser itself reports a cross-site request (SEC-34). */
  readonly foreign_origin: boolean
}
