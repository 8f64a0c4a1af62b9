export interface ActivityEvent {
  readonly id: string
  readonly event: string
  readonly outcome: 'ok' | 'refused'
  readonly method?: string
  readonly detail?: string
  readonly device: string
  readonly client_address: string
  readonly created_at: string
}

const methods: Readonly<Record<string, string>> = {
  password: 'password',
  passkey: 'passkey',
  webauthn: 'security key',
  totp: 'authenticator app',
  lookup_secret: 'backup codes',
  code: 'one-time code',
  code_recovery: 'recovery code',
  link_recovery: 'recovery link',
  oidc: 'connected account',
}

const ends: Readonly<Record<string, string>> = {
  logout: 'Signed out',
  revoked: 'Device signed out',
  revoked_others: 'Other devices signed out',
  too_many: 'Oldest device signed out',
  by_operator: 'Signed out by support',
}

/** One sentence for what happened; an event that this page does not know keeps its name. */
export function describeEvent({ event, outcome, method = '', detail = '' }: ActivityEvent): string {
  const by = methods[method]
  switch (event) {
    case 'sign_in':
      if (outcome === 'refused') return by ? `Failed sign-in with ${by}` : 'Failed sign-in'
      return by ? `Signed in with ${by}` : 'Signed in'
    case 'registration':
      return 'Account created'
    case 'code_guessed':
      return 'Wrong code entered'
    case 'address_verified':
      return 'Email verified'
    case 'address_changed':
      return 'Email changed'
    case 'credential_changed':
      return credentialSentence(method, detail)
    case 'session_ended':
      return ends[detail] ?? 'Signed out'
    case 'deletion_requested':
      return 'Account deletion requested'
    case 'deletion_cancelled':
      return 'Account deletion cancelled'
    case 'recovery_by_operator':
      return method === 'link' ? 'Recovery link created by support' : 'Recovery code created by support'
    case 'changed_by_operator':
      return 'Account changed by support'
    default:
      return event.replaceAll('_', ' ')
  }
}

function credentialSentence(method: string, detail: string): string {
  const name = methods[method] ?? method
  const done = { added: 'added', removed: 'removed' }[detail] ?? 'changed'
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${done}`
}
