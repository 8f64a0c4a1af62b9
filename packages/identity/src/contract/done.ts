import type { FieldMessage } from '../errors/errors.ts'
import type { Credential, CredentialUse, NewCredential } from '../storage/identities/credentials.ts'
import type { Counted } from '../storage/limits.ts'
import type { Method } from '../wire/flow.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { Aal, ProofMethod } from '../wire/session.ts'

/** A single-use secret, consumed in the transaction that uses what it proves. */
export interface SingleUse {
  readonly code_id: string
}

/**
 * What each kind of flow needs from a finished step. If a step gives no `transient_payload`, the submitted one is used.
 */
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
    /** The credential: the sign-in is refused if it has changed since. */
    readonly proven?: Pick<Credential, 'id' | 'version'>
    readonly transient_payload?: JsonObject
  }
  readonly registration: {
    readonly traits: JsonObject
    readonly method: ProofMethod
    readonly credentials: readonly NewCredential[]
    readonly transient_payload: JsonObject
    /** What it was counted as before its secret was hashed; absent if nothing was. */
    readonly counted?: Counted
    readonly consume?: SingleUse
    /** The addresses that this registration verifies. */
    readonly verified?: readonly string[]
    readonly provider?: string
    readonly metadata_public?: Json
    readonly metadata_admin?: Json
    /** If an account with this address exists: the provider account that its owner may link after signing in. */
    readonly offer?: LinkOffer
  }
  readonly settings: {
    readonly method: Method
    readonly change: IdentityChange
    /** What it was counted as before its secret was hashed; absent if nothing was. */
    readonly counted?: Counted
    readonly pending_address?: 'cancel' | 'resend'
    /** The factor that setting up this credential has proven: it counts for the session immediately. */
    readonly proved?: { readonly method: ProofMethod; readonly aal: Aal; readonly provider?: string }
    readonly transient_payload?: JsonObject
  }
  readonly recovery: {
    readonly identity_id: string
    readonly method: 'code_recovery' | 'link_recovery'
    readonly consume: SingleUse
    /** The verified recovery address; undefined if an operator issued the secret. */
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

/** A proven provider account that is not linked to any identity. */
export interface LinkOffer {
  readonly provider: string
  /** The provider's display name. */
  readonly label: string
  /** The stored form of the provider account. */
  readonly entry: JsonObject
  /** The address that the provider has verified. */
  readonly email?: string
}

/** A change to an account; credentials are replaced or removed by type. */
export interface IdentityChange {
  readonly traits?: JsonObject
  readonly put?: readonly NewCredential[]
  readonly remove?: readonly Method[]
  /** The credential version that the change is based on; nothing is stored if it changed since. */
  readonly expects?: { readonly type: Method; readonly version: number | undefined }
  /** The error for a change that would remove the last credential. */
  readonly lastCredentialError?: FieldMessage
}
