import type { Db } from './db.ts'
import type { SigningKeysTable } from './tables.ts'

export type SigningKey = SigningKeysTable

export async function findSigningKey(db: Db, template: string): Promise<SigningKey | undefined> {
  return await db
    .selectFrom('signing_keys')
    .selectAll()
    .where((eb) => eb.and({ template, retired_at: null }))
    .executeTakeFirst()
}

/**
 * Replaces `previous`, or inserts the first key. The id derives from the position, so only one process
 * succeeds. Call inside a transaction.
 */
export async function replaceSigningKey(
  db: Db,
  next: SigningKey,
  previous: Pick<SigningKey, 'id' | 'expires_at'> | undefined,
): Promise<void> {
  const insertedKey = await db
    .insertInto('signing_keys')
    .values(next)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!insertedKey || !previous) return
  await db
    .updateTable('signing_keys')
    .set({ retired_at: next.created_at, expires_at: previous.expires_at })
    .where('id', '=', previous.id)
    .execute()
}

/** Also lists keys whose tokens may still be valid. */
export async function listPublicKeys(db: Db, template: string, now: string): Promise<string[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .select('public_jwk')
    .where('template', '=', template)
    .where((eb) => eb.or([eb('retired_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => row.public_jwk)
}
