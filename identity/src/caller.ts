/** Where a request came from: for the log, security events and limits. */
export type RequestSource = Pick<
  Caller,
  'request_id' | 'client_address' | 'device' | 'device_cookie' | 'credential'
>

/** Who asks, and how: one request, seen without HTTP. */
export interface Caller {
  /** It is a script that reads JSON; a navigating browser wants redirects. */
  readonly json: boolean
  /** Its Accept header alone prefers JSON. */
  readonly accepts_json: boolean
  /** Its Accept header alone prefers a page, or says nothing. */
  readonly accepts_page: boolean
  /** The address of this request below the configured base, as a flow remembers it. */
  readonly url: string
  readonly credential: SessionCredential | undefined
  readonly csrf: CallerCsrf
  /** What this browser was given when it left for a provider. */
  readonly authorization_cookie: string | undefined
  /** The same in the log of the server around the service. */
  readonly request_id: string
  /** Its IP address, as far as the proxies before the service can be believed; undefined without a socket. */
  readonly client_address: string | undefined
  /** What this browser was given when a user signed in with it. `devices/` reads it. */
  readonly device_cookie: string | undefined
  readonly device: { readonly ip_address: string; readonly user_agent: string; readonly location: string }
  /** Marks that only browsers send; a native app has neither. */
  readonly origin: string | undefined
  readonly has_cookies: boolean
  /** What came over the wire: web hooks may be told of it. */
  readonly sent: SentRequest
}

export interface SentRequest {
  readonly method: string
  /** By their canonical names (`User-Agent`). */
  readonly headers: Readonly<Record<string, readonly string[]>>
  readonly cookies: Readonly<Record<string, string>>
}

/** A session token and where it stood: `header` is X-Session-Token, `bearer` is Authorization. */
export interface SessionCredential {
  readonly from: 'header' | 'cookie' | 'bearer'
  readonly token: string
  /** What the cookie says of the end of its session, in seconds since 1970. */
  readonly cookie_expires?: number
  /** Further cookies of the same name: a change of domain or path leaves stale ones behind. */
  readonly others?: readonly SessionCredential[]
}

export interface CallerCsrf {
  /** base64 of 32 bytes: what the browser's cookie holds, or will hold after this answer. */
  readonly secret: string
  /** The browser sent it. */
  readonly sent: boolean
  /** Why a missing or wrong token was sent, for the error's details. */
  readonly cookie_header: boolean
  readonly ajax: boolean
  /** A browser's own word that another site made it send this request (SEC-34). */
  readonly foreign_origin: boolean
}
