interface Kind {
  readonly means: string
  /** Stored with the account, as activity that its owner sees. */
  readonly stored: boolean
}

/** A closed list, so that alerts can rely on the names. SECURITY.md lists it. */
export const EVENTS = {
  sign_in: {
    means: 'A user signed in, re-authenticated or added a second factor, or failed to.',
    stored: true,
  },
  registration: { means: 'An account was created by its user.', stored: true },
  code_sent: {
    means: 'A one-time code or link was queued for sending or given to an operator.',
    stored: false,
  },
  code_guessed: {
    means: 'A one-time code was rejected: wrong, expired, already used or tried too often.',
    stored: true,
  },
  address_verified: { means: 'A user verified an address.', stored: true },
  address_changed: { means: 'The addresses of an account changed.', stored: true },
  address_claimed: {
    means:
      'A proof of an address ended what was set up without one; `detail` says what: `account_deleted`, `address_removed` or `set_up_removed`.',
    stored: true,
  },
  credential_changed: { means: 'A credential was added, replaced or removed.', stored: true },
  session_ended: { means: 'A session was revoked; `detail` says how.', stored: true },
  deletion_requested: { means: 'A user requested the deletion of their account.', stored: true },
  deletion_cancelled: {
    means:
      'The deletion of an account was cancelled: by its owner, or because the address was proven or restored.',
    stored: true,
  },
  limit_reached: { means: 'A rate limit rejected an attempt; `detail` names its setting.', stored: false },
  admin_call: { means: 'The admin API was called; `method` is the route.', stored: false },
  recovery_by_operator: {
    means: 'An operator created a recovery code or link for an account; `method` says which.',
    stored: true,
  },
  changed_by_operator: { means: 'An operator changed an account; `method` is the route.', stored: true },
} as const satisfies Record<string, Kind>

export type EventName = keyof typeof EVENTS
