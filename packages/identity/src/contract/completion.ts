import type { FieldMessage } from '../errors/errors.ts'
import type { Credential, HeldCredential, NewCredential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { CountedAttempt } from '../storage/limits.ts'
import type { Method } from '../wire/flow.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { Aal, ProofMethod } from '../wire/session.ts'
import type { UiText } from '../wire/text.ts'

interface SingleUse {
  readonly code_id: string
}

/** The facts that a proof relied on. The transaction that stores its session checks it again (`sessions/confirm.ts`). */
export type Evidence = {
  /** Shown if it no longer holds. */
  readonly refusal: UiText
  /** The config of the credential, as used in the proof. */
  readonly identifier?: string | undefined
} & (
  | {
      /** The whole credential, such as a password. */
      readonly kind: 'credential'
      readonly credential: ReadCredential
      /** After this use, such as that of a backup code. */
      readonly config?: JsonObject
    }
  | {
      /** One of several in the credential, such as a passkey. Others may change. */
      readonly kind: 'entry'
      readonly credential: ReadCredential
      /** Returns the configuration after this use, or undefined if the proof no longer holds. */
      use(config: JsonObject): JsonObject | undefined
    }
  | ({ readonly kind: 'single_use' } & SingleUse)
)

type ReadCredential = Pick<HeldCredential, 'type' | 'version' | 'created_at' | 'sign_in_epoch'>

/** `transient_payload` defaults to the submitted one. */
export interface Completion {
  readonly login: {
    readonly identity_id: string
    readonly method: ProofMethod
    readonly aal: Aal
    readonly provider?: string
    readonly evidence: Evidence
    readonly address_id?: string
    /** Updates the account after the sign-in. */
    readonly mapped?: MappedClaims & { readonly seen: StoredIdentity }
    readonly transient_payload?: JsonObject
  }
  readonly registration: MappedClaims & {
    readonly method: ProofMethod
    readonly credentials: readonly NewCredential[]
    readonly transient_payload?: JsonObject
    /** Used before hashing. */
    readonly countedAttempt?: CountedAttempt
    readonly consume?: SingleUse
    readonly provider?: string
    /** A taken address's owner may link this account after signing in. */
    readonly offer?: LinkOffer
  }
  readonly settings: {
    readonly method: Method
    readonly change: IdentityChange
    /** Used before hashing. */
    readonly countedAttempt?: CountedAttempt
    readonly pending_address?: 'cancel' | 'resend'
    /** Counts for the session immediately. */
    readonly proved?: { readonly method: ProofMethod; readonly aal: Aal; readonly provider?: string }
    readonly transient_payload?: JsonObject
  }
  readonly recovery: {
    readonly identity_id: string
    readonly method: 'code_recovery' | 'link_recovery'
    readonly consume: SingleUse
    /** `undefined` if an operator issued the secret. */
    readonly address_id: string | undefined
    readonly transient_payload?: JsonObject
  }
  readonly verification: {
    readonly identity_id: string
    /** Absent for an address change. */
    readonly address_id?: string
    readonly consume: SingleUse
    readonly transient_payload?: JsonObject
  }
}

export interface MappedClaims {
  readonly traits: JsonObject
  readonly metadata_public?: Json
  readonly metadata_admin?: Json
  /** Normalized addresses. */
  readonly verified?: readonly string[]
}

export interface LinkOffer {
  readonly provider: string
  readonly label: string
  readonly entry: JsonObject
  readonly email?: string
}

/** Credentials are replaced or removed by type. */
export interface IdentityChange {
  readonly traits?: JsonObject
  readonly put?: readonly NewCredential[]
  readonly remove?: readonly Method[]
  /** Stores nothing if the credential has changed. */
  readonly expects?: { readonly type: Method; readonly previousCredential: Credential | undefined }
  readonly lastCredentialError?: FieldMessage
}
