import type { FieldMessage } from './errors.ts'
import type { CredentialUse, NewCredential } from './storage/credentials.ts'
import type { LinkOffer } from './storage/flows.ts'
import type { Method } from './wire/flow.ts'
import type { Json, JsonObject } from './wire/identity.ts'
import type { Aal, ProofMethod } from './wire/session.ts'

/** Something single-use that must be spent in the transaction that uses what it proves. */
export interface Spend {
  readonly code_id: string
}

/** What each flow needs from a step. A `transient_payload` that a step does not give is what was submitted. */
export interface Done {
  readonly login: {
    readonly identity_id: string
    readonly method: ProofMethod
    readonly aal: Aal
    readonly provider?: string
    readonly spend?: Spend
    /** An address that this sign-in proves. */
    readonly address_id?: string
    readonly use?: CredentialUse
    readonly transient_payload?: JsonObject
  }
  readonly registration: {
    readonly traits: JsonObject
    readonly method: ProofMethod
    readonly credentials: readonly NewCredential[]
    readonly transient_payload: JsonObject
    readonly spend?: Spend
    /** Addresses that this registration proves. */
    readonly verified?: readonly string[]
    readonly provider?: string
    readonly metadata_public?: Json
    readonly metadata_admin?: Json
    /** Where an address has an account already: what its owner may add, once they have signed in to it. */
    readonly offer?: LinkOffer
  }
  readonly settings: {
    readonly method: Method
    readonly change: IdentityChange
    readonly pending_address?: 'cancel' | 'resend'
    /** What setting up a way to sign in has proven: it counts for the session at once. */
    readonly proved?: { readonly method: ProofMethod; readonly aal: Aal; readonly provider?: string }
  }
  readonly recovery: {
    readonly identity_id: string
    readonly method: 'code_recovery' | 'link_recovery'
    readonly spend: Spend
    /** The recovery address that was proven; none where an operator handed the secret over. */
    readonly address_id: string | undefined
    readonly transient_payload: JsonObject
  }
  readonly verification: {
    readonly identity_id: string
    /** Absent where the flow carries an address change out. */
    readonly address_id?: string
    readonly spend: Spend
    readonly transient_payload?: JsonObject
  }
}

/** What a person changes of their account; credentials are replaced or removed by type. */
export interface IdentityChange {
  readonly traits?: JsonObject
  readonly put?: readonly NewCredential[]
  readonly remove?: readonly Method[]
  /** What was read of one credential before; where it has changed since, nothing is stored. */
  readonly expects?: { readonly type: Method; readonly version: number | undefined }
  /** The refusal of a change after which nobody could sign in to the account. */
  readonly lastCredentialError?: FieldMessage
}
