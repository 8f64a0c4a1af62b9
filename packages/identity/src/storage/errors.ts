import type { GenericError } from '../wire/error.ts'
import type { Db } from './db.ts'

export interface StoredError {
  readonly id: string
  readonly error: GenericError
  readonly created_at: string
  readonly updated_at: string
}

export async function insertError(db: Db, id: string, error: GenericError, now: string): Promise<void> {
  await db
    .insertInto('errors')
    .values({ id, body: JSON.stringify(error), created_at: now, updated_at: now })
    .execute()
}

export async function findError(db: Db, id: string): Promise<StoredError | undefined> {
  const row = await db.selectFrom('errors').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { body, ...times } = row
  return { ...times, error: JSON.parse(body) as GenericError }
}
