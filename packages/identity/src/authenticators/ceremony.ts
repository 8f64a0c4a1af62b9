/** A WebAuthn challenge, which takes one response. Binary values in base64url. */
export interface Ceremony {
  readonly challenge: string
  /** Of a registration: the user handle that the authenticator returns at each sign-in. */
  readonly user_handle?: string
  /** The allowed credential ids; any credential of this site if absent. */
  readonly allowed?: readonly string[]
  /** The identity that owns the credentials. */
  readonly identity_id?: string
  /** The identifier of that identity, as typed or as stored. */
  readonly identifier?: string
}
