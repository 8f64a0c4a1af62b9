import type { FieldMessage } from '../errors/errors.ts'
import type { Credential, CredentialUse, NewCredential } from '../storage/identities/credentials.ts'
import type { Counted } from '../storage/limits.ts'
import type { Method } from '../wire/flow.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { Aal, ProofMethod } from '../wire/session.ts'

/** Consumed in the transaction that uses its proof. */
export interface SingleUse {
  readonly code_id: string
}

/** The result of a finished step, by kind of flow. `transient_payload` defaults to the submitted one. */
export interface Done {
  readonly login: {
    readonly identity_id: string
    readonly method: ProofMethod
    readonly aal: Aal
    readonly provider?: string
    readonly consume?: SingleUse
    /** The address that this sign-in verifies. */
    readonly address_id?: string
    readonly use?: CredentialUse
    /** The sign-in is rejected if this credential has changed since. */
    readonly proven?: Pick<Credential, 'id' | 'version'>
    readonly transient_payload?: JsonObject
  }
  readonly registration: {
    readonly traits: JsonObject
    readonly method: ProofMethod
    readonly credentials: readonly NewCredential[]
    readonly transient_payload: JsonObject
    /** The budget used before hashing, if any. */
    readonly counted?: Counted
    readonly consume?: SingleUse
    /** The addresses that this registration verifies. */
    readonly verified?: readonly string[]
    readonly provider?: string
    readonly metadata_public?: Json
    readonly metadata_admin?: Json
    /** If an account has this address, its owner may link the provider account after signing in. */
    readonly offer?: LinkOffer
  }
  readonly settings: {
    readonly method: Method
    readonly change: IdentityChange
    /** The budget used before hashing, if any. */
    readonly counted?: Counted
    readonly pending_address?: 'cancel' | 'resend'
    /** The factor proven by setting up this credential. Counts for the session immediately. */
    readonly proved?: { readonly method: ProofMethod; readonly aal: Aal; readonly provider?: string }
    readonly transient_payload?: JsonObject
  }
  readonly recovery: {
    readonly identity_id: string
    readonly method: 'code_recovery' | 'link_recovery'
    readonly consume: SingleUse
    /** The verified recovery address. `undefined` if an operator issued the secret. */
    readonly address_id: string | undefined
    readonly transient_payload: JsonObject
  }
  readonly verification: {
    readonly identity_id: string
    /** Absent if the flow carries out an address change. */
    readonly address_id?: string
    readonly consume: SingleUse
    readonly transient_payload?: JsonObject
  }
}

/** A proven provider account that is not linked to an identity. */
export interface LinkOffer {
  readonly provider: string
  readonly label: string
  /** The stored form of the provider account. */
  readonly entry: JsonObject
  /** Verified by the provider. */
  readonly email?: string
}

/** Credentials are replaced or removed by type. */
export interface IdentityChange {
  readonly traits?: JsonObject
  readonly put?: readonly NewCredential[]
  readonly remove?: readonly Method[]
  /** Nothing is stored if the credential has changed since this version. */
  readonly expects?: { readonly type: Method; readonly version: number | undefined }
  /** The error for removing the last credential. */
  readonly lastCredentialError?: FieldMessage
}
