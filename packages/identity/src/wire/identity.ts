export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export type Via = 'email' | 'sms'

export interface VerifiableAddress {
  readonly id: string
  readonly value: string
  readonly verified: boolean
  readonly via: Via
  readonly status: 'pending' | 'sent' | 'completed'
  readonly verified_at?: string
  readonly created_at: string
  readonly updated_at: string
}

export interface RecoveryAddress {
  readonly id: string
  readonly value: string
  readonly via: Via
  readonly created_at: string
  readonly updated_at: string
}

export interface Identity {
  readonly id: string
  readonly schema_id: string
  readonly schema_url: string
  readonly state: 'active' | 'inactive'
  readonly state_changed_at?: string
  readonly external_id?: string
  readonly traits: JsonObject
  readonly verifiable_addresses?: readonly VerifiableAddress[]
  readonly recovery_addresses?: readonly RecoveryAddress[]
  readonly metadata_public: Json
  readonly created_at: string
  readonly updated_at: string
  readonly organization_id: string | null
}

export interface AdminIdentity extends Identity {
  readonly metadata_admin: Json
  readonly credentials?: Readonly<Record<string, AdminCredential>>
}

export interface AdminCredential {
  readonly type: string
  readonly identifiers: readonly string[]
  readonly config?: JsonObject
  /** Version of the format of `config`. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}
