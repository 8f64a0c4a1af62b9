/** A single-use WebAuthn challenge. Binary values are base64url. */
export interface Ceremony {
  readonly challenge: string
  /** Registrations only. The authenticator returns it at each sign-in. */
  readonly user_handle?: string
  /** The allowed credential ids. If absent, any credential of this site is allowed. */
  readonly allowed?: readonly string[]
  /** The owner of the credentials. */
  readonly identity_id?: string
  /** As typed or as stored. */
  readonly identifier?: string
}
