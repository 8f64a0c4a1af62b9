import type { GenericError } from '../../wire/error.ts'
import type { FlowKind, FlowState, FlowType } from '../../wire/flow.ts'
import type { Ui } from '../../wire/node.ts'
import type { Aal } from '../../wire/session.ts'
import type { Db } from '../db.ts'
import type { CountedAttempt } from '../limits.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import { type FlowsTable, present } from '../tables.ts'
import type { Memo } from './memo.ts'

export interface Flow<K extends FlowKind = FlowKind> {
  readonly id: string
  readonly kind: K
  readonly type: FlowType
  readonly state: FlowState
  readonly active?: string
  readonly issued_at: string
  readonly expires_at: string
  readonly created_at: string
  /** Kratos compatibility: submissions leave it. */
  readonly updated_at: string
  readonly request_url: string
  readonly return_to?: string
  readonly identity_id?: string
  readonly identity_schema?: string
  readonly refresh: boolean
  readonly requested_aal: Aal
  /** Tied to the browser that opened the flow; empty for native apps. */
  readonly csrf_token: string
  readonly ui: Ui
  readonly memo: Memo
  readonly version: number
  /** To a repeated submission (`flows/run/repeat.ts`). Saving the flow does not change it. */
  readonly answer?: string
}

/** Keeps clients from storing such flows without limit (FLT-23). */
export type FlowBound = CountedAttempt | 'consumed code' | 'operator'

export async function insertFlow(db: Db, flow: Flow, _bound: FlowBound): Promise<void> {
  await insertQuery(db, [toRow(flow)])
}

const insertQuery = preparedInsert('flows', { needsNoFsync: true })

/** Includes expired flows. */
export async function findFlow<K extends FlowKind>(
  db: Db,
  kind: K,
  id: string,
): Promise<Flow<K> | undefined> {
  const [row] = (await findQuery(db, { id, kind })).rows
  return row && (toFlow(row) as Flow<K>)
}

const findQuery = prepared((db, { id, kind }: Places<Pick<FlowsTable, 'id' | 'kind'>>) =>
  db.selectFrom('flows').selectAll().where('id', '=', id).where('kind', '=', kind),
)

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

/** Undefined if the flow changed since it was read. */
export async function updateFlow<K extends FlowKind>(db: Db, flow: Flow<K>): Promise<Flow<K> | undefined> {
  const next = { ...flow, version: flow.version + 1 }
  const { body, expires_at, identity_id } = toRow(next)
  const { id, version } = flow
  const changed = await updateQuery(db, { id, version, body, expires_at, identity_id, next: next.version })
  return changed.numAffectedRows === 1n ? next : undefined
}

const updateQuery = prepared(
  (db, values: Places<Omit<FlowsTable, 'kind' | 'answer'> & { readonly next: number }>) => {
    const { id, version, next, body, expires_at, identity_id } = values
    return db
      .updateTable('flows')
      .set({ body, expires_at, identity_id, version: next })
      .where('id', '=', id)
      .where('version', '=', version)
  },
)

/** The next attempt repairs a loss. */
export const storeAnswer = prepared(
  (db, { id, answer }: Places<{ readonly id: string; readonly answer: string }>) =>
    db.updateTable('flows').set({ answer }).where('id', '=', id),
  { needsNoFsync: true },
)

function toRow(flow: Flow): FlowsTable {
  const { id, kind, identity_id, expires_at, version, answer = null, ...body } = flow
  return {
    id,
    kind,
    identity_id: identity_id ?? null,
    expires_at,
    version,
    body: JSON.stringify(body),
    answer,
  }
}

function toFlow({ body, ...row }: FlowsTable): Flow {
  return { ...JSON.parse(body), ...present(row) } as Flow
}

export async function insertError(db: Db, id: string, error: GenericError, now: string): Promise<void> {
  await db
    .insertInto('errors')
    .values({ id, body: JSON.stringify(error), created_at: now, updated_at: now })
    .execute()
}

export async function findError(db: Db, id: string) {
  const row = await db.selectFrom('errors').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { body, ...times } = row
  return { ...times, error: JSON.parse(body) as GenericError }
}
