import type { FieldMessage } from '../errors.ts'
import type { FlowKind, FlowState, FlowType, Method } from '../wire/flow.ts'
import type { Json, JsonObject, Via } from '../wire/identity.ts'
import type { NodeGroup, Ui } from '../wire/node.ts'
import type { Aal, AuthenticationMethod } from '../wire/session.ts'
import type { Db } from './db.ts'
import type { FlowsTable } from './tables.ts'

/** The private state of a flow, never shown. Each strategy keeps its own member; secrets in it are encrypted. */
export interface Memo {
  /** The last submission matched no method. */
  readonly unclaimed?: true
  /** Typed values by field name; null if a field was left out. Never a password or a code. */
  readonly values?: Readonly<Record<string, Json>>
  /** The form's current messages. */
  readonly messages?: readonly FieldMessage[]
  /** Names of fields that exist only to carry a message. */
  readonly orphanFields?: readonly string[]
  /** WebAuthn challenges, by strategy. */
  readonly passkey?: Ceremony
  readonly webauthn?: Ceremony
  /** The strategy that continues this flow; the others are not shown. */
  readonly only?: Method
  readonly password?: {
    /** The identifier of the account whose password is required again; absent if it has none. */
    readonly identifier?: string
  }
  /** The user chose a longer session. */
  readonly stay_signed_in?: boolean
  /** A verification submission lacked what it needs, so the form asks for the address again. */
  readonly asks_address?: boolean
  readonly code?: {
    /** The recipient of the last code, as the user typed it. */
    readonly address: string
    /** The form was rejected, and its address field has no attributes since. */
    readonly plain?: true
    /** The code from an emailed link, shown in its field. */
    readonly prefilled?: string
  }
  /** The addresses of the known account that may receive codes, or the one that a registration sent a code to. */
  readonly code_addresses?: readonly string[]
  /** Set after the identifier was submitted: the methods and providers offered. */
  readonly identifier_first?: { readonly methods: readonly string[]; readonly providers?: readonly string[] }
  /** The traits of a registration are complete; the user chooses a credential next. */
  readonly profile?: { readonly screen: 'credential-selection' }
  /** An operator created this recovery and passes its code on: no browser owns it, and it sends no email. */
  readonly by_operator?: true
  /** A recovery in which the user chooses the recipient of the code. */
  readonly choice?: {
    /** The address that the user typed first. */
    readonly typed?: string
    /** The recipients to choose from, if there is a choice. */
    readonly offers?: readonly { readonly hash: string; readonly masked: string }[]
    /** How the chosen recipient is reached: the form asks for the full address of this kind. */
    readonly via?: Via
  }
  readonly totp?: {
    /** The otpauth URL to set up an authenticator app with; encrypted. */
    readonly url: string
  }
  readonly lookup_secret?: {
    /** New backup codes that are not confirmed yet, as JSON; encrypted. Absent if the form shows the stored ones. */
    readonly fresh?: string
  }
  /**
   * The last authorization request to a provider: what the browser must present, and our secrets, encrypted. Consumed
   * once.
   */
  readonly oidc?: { readonly browser_hash: string; readonly state_hash: string; readonly sealed?: string }
  /** The device cookie of the browser that was redirected to a provider: a cross-site callback does not send it. */
  readonly device_cookie?: string
  /** The provider whose response the form continues with, and whether it identified the user. */
  readonly goes_on_with?: { readonly provider: string; readonly known: boolean }
  /** Signing in links this provider account to the account with its address; the offer is encrypted. */
  readonly link?: Link
  /** The token exchange that an app uses to get the session of this flow. */
  readonly exchange_id?: string
  /** Nodes added after the form was first rendered: they come last. */
  readonly last_group?: NodeGroup
  /** The submission that waits for re-authentication; encrypted. */
  readonly pending?: string
  /** The flow that the form of a saved change is posted to. */
  readonly continues_in?: string
  /** Where a finished verification redirects. */
  readonly continue_url?: string
  /** The address change that this verification carries out or undoes. */
  readonly address_change?: { readonly id: string; readonly undo?: true }
  /** An opened link that asks before it acts; its token is encrypted. */
  readonly link_to_confirm?: { readonly token: string }
  /** The authentication methods of the session that began the verification. */
  readonly authentication_methods?: readonly AuthenticationMethod[]
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

/** The identity that a provider account shall be linked to, bound to that identity (SEC-25). */
export interface Link {
  readonly identity_id: string
  readonly identifier: string
  readonly provider: string
  readonly offer: string
  /** The only methods that the form offers; all if absent. */
  readonly methods?: readonly string[]
  readonly providers?: readonly string[]
  /** The credentials that the account has, for the message. */
  readonly hints?: readonly string[]
}

/** A WebAuthn challenge, which takes one response. Binary values in base64url. */
export interface Ceremony {
  readonly challenge: string
  /** Of a registration: the user handle that the authenticator returns at each sign-in. */
  readonly user_handle?: string
  /** The allowed credential ids; any credential of this site if absent. */
  readonly allowed?: readonly string[]
  /** The identity that owns the credentials. */
  readonly identity_id?: string
  /** The identifier of that identity, as typed or as stored. */
  readonly identifier?: string
}

/** A self-service flow with its form. */
export interface Flow<K extends FlowKind = FlowKind> {
  readonly id: string
  readonly kind: K
  readonly type: FlowType
  readonly state: FlowState
  readonly active?: string
  readonly issued_at: string
  readonly expires_at: string
  readonly created_at: string
  readonly updated_at: string
  readonly request_url: string
  readonly return_to?: string
  readonly identity_id?: string
  readonly identity_schema?: string
  readonly refresh: boolean
  readonly requested_aal: Aal
  /** Masked; belongs to the browser that opened the flow. Empty for native apps. */
  readonly csrf_token: string
  readonly ui: Ui
  readonly memo: Memo
  readonly version: number
}

/** Stores a new flow. */
export async function insertFlow(db: Db, flow: Flow): Promise<void> {
  await db.insertInto('flows').values(toRow(flow)).execute()
}

/** The flow with this id, including an expired one. */
export async function findFlow<K extends FlowKind>(
  db: Db,
  kind: K,
  id: string,
): Promise<Flow<K> | undefined> {
  const row = await db
    .selectFrom('flows')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && (toFlow(row) as Flow<K>)
}

/** The settings flows of an identity that hold a submission for re-authentication. */
export async function listFlowsWithPending(db: Db, identityId: string): Promise<Flow<'settings'>[]> {
  const rows = await db
    .selectFrom('flows')
    .selectAll()
    .where('identity_id', '=', identityId)
    .where('kind', '=', 'settings')
    .where('body', 'like', '%"pending":"%')
    .execute()
  return rows.map((row) => toFlow(row) as Flow<'settings'>)
}

/** Stores a changed flow; returns undefined if it changed since it was read. */
export async function updateFlow<K extends FlowKind>(db: Db, flow: Flow<K>): Promise<Flow<K> | undefined> {
  const next = { ...flow, version: flow.version + 1 }
  const { body, expires_at, identity_id } = toRow(next)
  const result = await db
    .updateTable('flows')
    .set({ body, expires_at, identity_id, version: next.version })
    .where('id', '=', flow.id)
    .where('version', '=', flow.version)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n ? next : undefined
}

/** Deletes up to `limit` flows that expired before `before`; returns how many. */
export async function deleteExpiredFlows(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('flows')
    .where('id', 'in', (eb) =>
      eb.selectFrom('flows').select('id').where('expires_at', '<', before).orderBy('expires_at').limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

function toRow(flow: Flow): FlowsTable {
  const { id, kind, identity_id, expires_at, version, ...body } = flow
  return {
    id,
    kind,
    identity_id: identity_id ?? null,
    expires_at,
    version,
    body: JSON.stringify(body),
  }
}

function toFlow({ body, identity_id, ...row }: FlowsTable): Flow {
  return { ...JSON.parse(body), ...row, ...(identity_id === null ? {} : { identity_id }) } as Flow
}
