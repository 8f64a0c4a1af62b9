import { isPostgres } from './database.ts'
import { type Db, withTransaction } from './db.ts'
import { countChanged } from './durability.ts'
import { type Places, prepared, preparedInsert } from './prepared.ts'
import { type MessageAttemptsTable, type MessagesTable, type Present, present } from './tables.ts'

export type MessageStatus = MessagesTable['status']

/** Callers encrypt subject, body and html. */
export type Message = Present<MessagesTable>

export type MessageContent = Pick<Message, 'subject' | 'body' | 'html' | 'template_data'>

export type MessageAttempt = Present<MessageAttemptsTable>

/** Call inside the transaction that causes the message. */
export async function insertMessage(db: Db, message: Message): Promise<void> {
  await insertQuery(db, [message])
}

const insertQuery = preparedInsert('messages')

export const deleteMessage = prepared((db, { id }: Places<{ readonly id: string }>) =>
  db.deleteFrom('messages').where('id', '=', id),
)

export interface Claim {
  readonly type: Message['type']
  readonly now: string
  readonly leased_until: string
  readonly limit: number
}

/**
 * Claims due messages, oldest first. After `leased_until` other workers can claim them. `send_count` includes
 * this attempt.
 */
export async function claimDueMessages(db: Db, claim: Claim): Promise<Message[]> {
  const { rows } = await claimQuery(db, claim)
  return rows.map(present).sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

const claimQuery = prepared(
  (db, { type, now, leased_until, limit }: Places<Claim>) =>
    db
      .with('due', (cte) =>
        cte
          .selectFrom('messages')
          .select('id')
          .where('type', '=', type)
          .where('status', 'in', ['queued', 'processing'])
          .where('due_at', '<=', now)
          .orderBy('due_at')
          .limit(limit)
          // Workers of other replicas skip locked rows.
          .$if(isPostgres(db), (query) => query.forUpdate().skipLocked()),
      )
      .updateTable('messages')
      .set((eb) => ({
        status: 'processing',
        due_at: leased_until,
        send_count: eb('send_count', '+', 1),
        updated_at: now,
      }))
      .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
      .returningAll(),
  // Other workers outlive PostgreSQL, and could send the message again.
  { needsNoFsync: 'on SQLite' },
)

export type MessageTexts = Pick<MessagesTable, 'subject' | 'body' | 'html' | 'template_data'>

export type MessageEnd =
  | ({ readonly status: 'sent' | 'abandoned'; readonly send_count: number } & Partial<MessageTexts>)
  | { readonly status: 'queued'; readonly send_count: number; readonly due_at: string }

/** False if another worker has claimed it since. */
export async function finishMessage(
  db: Db,
  message: Message,
  end: MessageEnd,
  attempt: MessageAttempt,
): Promise<boolean> {
  return await withTransaction(db, async (db) => {
    const update = db
      .updateTable('messages')
      .set({ ...end, updated_at: attempt.created_at })
      .where((eb) => eb.and({ id: message.id, status: 'processing', due_at: message.due_at }))
    if ((await countChanged(db, update)) === 0) return false
    await insertAttemptsQuery(db, [attempt])
    return true
  })
}

const insertAttemptsQuery = preparedInsert('message_attempts')

/** Call inside a transaction. */
export async function lockQueuedMessage(
  db: Db,
  { template_type, recipient }: Pick<Message, 'template_type' | 'recipient'>,
): Promise<Message | undefined> {
  const row = await db
    .updateTable('messages')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where((eb) => eb.and({ status: 'queued', template_type, recipient }))
    .returningAll()
    .executeTakeFirst()
  return row && present(row)
}

export async function rewriteMessage(
  db: Db,
  id: string,
  content: MessageContent,
  now: string,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ ...content, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Returns the channel, or undefined if the message is not an abandoned, unexpired one. */
export async function requeueMessage(db: Db, id: string, now: string): Promise<Message['type'] | undefined> {
  const row = await db
    .updateTable('messages')
    .set({ status: 'queued', send_count: 0, due_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'abandoned')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .returning('type')
    .executeTakeFirst()
  return row?.type
}

export interface MessageFilter {
  readonly status?: MessageStatus
  /** Spellings of one address. */
  readonly recipients?: readonly string[]
}

export async function listMessages(
  db: Db,
  filter: MessageFilter,
  {
    limit,
    after,
  }: { readonly limit: number; readonly after?: readonly [created_at: string, id: string] | undefined },
): Promise<Message[]> {
  let query = db.selectFrom('messages').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.recipients !== undefined) query = query.where('recipient', 'in', filter.recipients)
  if (after) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(...after)))
  const rows = await query.limit(limit).execute()
  return rows.map(present)
}

export async function findMessage(
  db: Db,
  id: string,
): Promise<{ readonly message: Message; readonly attempts: readonly MessageAttempt[] } | undefined> {
  const row = await db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const attempts = await db
    .selectFrom('message_attempts')
    .selectAll()
    .where('message_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return { message: present(row), attempts: attempts.map(present) }
}

/**
 * Counts up to `limit`. First attempts that are delayed on purpose, such as digests, do not count
 * as old. Only the thousand due first are compared.
 */
export async function countQueue(
  db: Db,
  { limit, now }: { readonly limit: number; readonly now: string },
): Promise<{ readonly waiting: number; readonly oldest: string | undefined }> {
  const { waiting } = await db
    .selectFrom(queued(db).select('status').limit(limit).as('queued'))
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  if (waiting === 0) return { waiting, oldest: undefined }
  const { oldest } = await db
    .selectFrom(
      queued(db).select(['created_at', 'due_at', 'send_count']).orderBy('due_at').limit(1000).as('next'),
    )
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('send_count', '>', 0)]))
    .select((eb) => eb.fn.min('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
  return { waiting, oldest: oldest ?? undefined }
}

function queued(db: Db) {
  return db.selectFrom('messages').where('status', 'in', ['queued', 'processing'])
}
