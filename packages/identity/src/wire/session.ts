import type { Identity } from './identity.ts'

export type Aal = 'aal1' | 'aal2'

export type ProofMethod =
  | 'password'
  | 'code'
  | 'oidc'
  | 'totp'
  | 'lookup_secret'
  | 'webauthn'
  | 'passkey'
  | 'code_recovery'
  | 'link_recovery'

export interface AuthenticationMethod {
  readonly method: ProofMethod
  readonly aal: Aal
  readonly completed_at: string
  readonly provider?: string
}

export interface Device {
  readonly id: string
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly location: string | null
}

export interface Session {
  readonly id: string
  readonly active: boolean
  readonly expires_at: string
  readonly authenticated_at: string
  readonly authenticator_assurance_level: 'aal0' | Aal
  readonly authentication_methods: readonly AuthenticationMethod[]
  readonly issued_at: string
  readonly identity: Identity | null
  readonly devices: readonly Device[]
  readonly tokenized?: string
}
