/** Single-use, in base64url. */
export interface Ceremony {
  readonly challenge: string
  /** For registrations only. Returned at each sign-in. */
  readonly user_handle?: string
  /** Any credential of this site if absent. */
  readonly allowed?: readonly string[]
  /** Keys that the account has. */
  readonly excluded?: readonly string[]
  readonly identity_id?: string
  /** As typed or as stored. */
  readonly identifier?: string
}
