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
  /** Why a missing or wrong token was sent, for the error's details. Protocol 1, 3.3. */
  readonly cookie_header: boolean
  readonly ajax: boolean
  /** A browser's own word that another site made it send this request (SEC-34). */
  readonly foreign_origin: boolean
}
