interface Kind {
  /** What the event says, for the operator who reads the log. */
  readonly means: string
  /** Kept with the account, so that its owner sees it among their activity. */
  readonly stored: boolean
}

/** Every security event: a closed list, so that an alert can name what it waits for. SECURITY.md shows it. */
export const EVENTS = {
  sign_in: {
    means: 'A user signed in, confirmed who they are or added a second factor; or failed to.',
    stored: true,
  },
  registration: { means: 'An account was created by its user.', stored: true },
  code_sent: {
    means: 'A one-time code or link was queued for sending or given to an operator.',
    stored: false,
  },
  code_guessed: {
    means: 'A one-time code was refused: wrong, expired, used or tried too often.',
    stored: true,
  },
  address_verified: { means: 'A user proved that an address is theirs.', stored: true },
  address_changed: { means: 'The addresses of an account changed.', stored: true },
  credential_changed: { means: 'A credential was added, replaced or removed.', stored: true },
  session_ended: { means: 'A session was revoked; `detail` says how.', stored: true },
  deletion_requested: { means: 'A user asked to have their account deleted.', stored: true },
  deletion_cancelled: {
    means: 'A user signed in to an account that was to be deleted: it stays.',
    stored: true,
  },
  limit_reached: { means: 'A rate limit refused an attempt; `detail` names the limit.', stored: false },
  admin_call: { means: 'The admin API was called; `method` is the route.', stored: false },
  recovery_by_operator: {
    means: 'An operator created a recovery code or link for an account; `method` says which.',
    stored: true,
  },
  changed_by_operator: { means: 'An operator changed an account; `method` is the route.', stored: true },
} as const satisfies Record<string, Kind>

export type EventName = keyof typeof EVENTS
