import type { FieldMessage } from '../errors.ts'
import type { FlowKind, FlowState, FlowType, Method } from '../wire/flow.ts'
import type { Json, JsonObject, Via } from '../wire/identity.ts'
import type { NodeGroup, Ui } from '../wire/node.ts'
import type { Aal, AuthenticationMethod } from '../wire/session.ts'
import type { Db } from './db.ts'
import type { FlowsTable } from './tables.ts'

/**
 * What a flow remembers and never shows. Each strategy keeps what it needs under its own name;
 * secrets stand in it encrypted.
 */
export interface Memo {
  /** What was typed, by the name of its field; null where a field was left out. Never a password or a code. */
  readonly values?: Readonly<Record<string, Json>>
  /** What the form says at present. */
  readonly messages?: readonly FieldMessage[]
  /** Names of fields that exist only to carry a message. */
  readonly orphanFields?: readonly string[]
  /** What an authenticator was asked, by strategy. */
  readonly passkey?: Ceremony
  readonly webauthn?: Ceremony
  /** The one strategy that goes on with this flow; the others are not drawn. */
  readonly only?: Method
  readonly password?: {
    /** Whose password is asked for again; absent where the person has none. */
    readonly identifier?: string
  }
  /** A verification was sent without what it needs: it asks for the address, also where a code was sent before. */
  readonly asks_address?: boolean
  readonly code?: {
    /** Where the last code went, as the person typed it. */
    readonly address: string
    /** The form was refused, and its field for the address is a bare one since. */
    readonly plain?: true
    /** A code that a mailed link brought along: shown in its field. */
    readonly prefilled?: string
  }
  /** Where codes may go to somebody who is known already, or went to somebody who registers. */
  readonly code_addresses?: readonly string[]
  /** Who signs in has been named; these methods are offered since. */
  readonly identifier_first?: { readonly identity_id?: string; readonly methods: readonly string[] }
  /** The traits of a registration stand; how to sign in is chosen next. */
  readonly profile?: { readonly screen: 'credential-selection' }
  /** An operator made this recovery and hands its code over: no browser owns it, and it mails nothing. */
  readonly by_operator?: true
  /** A recovery that lets the user choose where the code goes. */
  readonly choice?: {
    /** The address that was typed first. */
    readonly typed?: string
    /** What can be chosen, where there was something to choose. */
    readonly offers?: readonly { readonly hash: string; readonly masked: string }[]
    /** How the chosen one is reached: a full address of this kind is asked for. */
    readonly via?: Via
  }
  readonly totp?: {
    /** What an authenticator app shall be set up with; sealed. */
    readonly url: string
  }
  readonly lookup_secret?: {
    /** Codes that are shown and not confirmed yet, as JSON; sealed. Absent where only the state of the present ones is shown. */
    readonly fresh?: string
  }
  /** The last authorization request to a provider: what the browser must bring, and sealed what only we know. Consumed once. */
  readonly oidc?: { readonly browser_hash: string; readonly state_hash: string; readonly sealed?: string }
  /** The device cookie of the browser that left for a provider: from another site it does not bring it back. */
  readonly device_cookie?: string
  /** The provider whose answer the form goes on with, and whether it said who somebody is. */
  readonly goes_on_with?: { readonly provider: string; readonly known: boolean }
  /** Signing in adds this to the account that has the address; the offer is sealed. */
  readonly link?: Link
  /** What an app exchanges for the session that this flow ends in. */
  readonly exchange_id?: string
  /** Nodes that came after the form was made: they stand last. */
  readonly last_group?: NodeGroup
  /** What was sent before its sender had to confirm who they are; sealed. */
  readonly pending?: string
  /** The flow to which the form of a saved change is posted. */
  readonly continues_in?: string
  /** Where a finished verification leads. */
  readonly continue_url?: string
  /** What hooks and mail templates get from the caller. */
  readonly transient_payload?: JsonObject
  /** The change of address that this verification carries out, or undoes. */
  readonly address_change?: { readonly id: string; readonly undo?: true }
  /** A link that was opened and asks before it does something; its token is sealed. */
  readonly link_to_confirm?: { readonly token: string }
  /** How the user had signed in when the verification began. */
  readonly authentication_methods?: readonly AuthenticationMethod[]
  /** Where the verification that follows a registration shall lead. */
  readonly after_verification_return_to?: string
}

/** An account at a provider that was proven and belongs to nobody here yet. */
export interface LinkOffer {
  readonly provider: string
  /** As people call it. */
  readonly label: string
  /** What is stored of it. */
  readonly entry: JsonObject
  /** The address that the provider itself has verified. */
  readonly email?: string
}

/** Whose account an account at a provider shall be added to, bound to that account (SEC-25). */
export interface Link {
  readonly identity_id: string
  readonly identifier: string
  readonly provider: string
  readonly offer: string
  /** The only ways of signing in that are offered; all when absent. */
  readonly methods?: readonly string[]
  readonly providers?: readonly string[]
  /** What the account has of credentials, as it is told. */
  readonly hints?: readonly string[]
}

/** A question to an authenticator, which takes one answer. Everything in base64url. */
export interface Ceremony {
  readonly challenge: string
  /** Of a new key: what its authenticator gives back at every login. */
  readonly user_handle?: string
  /** The keys that may answer; any of this site when absent. */
  readonly allowed?: readonly string[]
  /** Whose keys they are. */
  readonly identity_id?: string
  /** By what that person is known, as it was typed or stands in the account. */
  readonly identifier?: string
}

/** One attempt of somebody at something, with its form. */
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

/** The flow, also an expired one. */
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

/** The settings flows of an identity that keep a submission until its sender has confirmed who they are. */
export async function listKeepingFlows(db: Db, identityId: string): Promise<Flow<'settings'>[]> {
  const rows = await db
    .selectFrom('flows')
    .selectAll()
    .where('identity_id', '=', identityId)
    .where('kind', '=', 'settings')
    .where('body', 'like', '%"pending":"%')
    .execute()
  return rows.map((row) => toFlow(row) as Flow<'settings'>)
}

/** Stores what changed; `undefined` when somebody else saved it since it was read. */
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

/** Removes up to `limit` flows that ended before `before`; returns how many. */
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
