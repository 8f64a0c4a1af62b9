import type { Db } from './db.ts'

/** Fingerprints of the secrets that a process knows, by use; the first of each is the one that it signs with. */
export type KnownSecrets = Readonly<Record<string, readonly string[]>>

/** Records that a process runs, and what it knows. */
export async function keepReplica(db: Db, id: string, secrets: KnownSecrets, now: string): Promise<void> {
  const row = { secrets: JSON.stringify(secrets), seen_at: now }
  await db
    .insertInto('replicas')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** What the other processes know that were seen after `since`. */
export async function listOtherReplicas(db: Db, id: string, since: string): Promise<KnownSecrets[]> {
  const rows = await db
    .selectFrom('replicas')
    .select('secrets')
    .where('id', '!=', id)
    .where('seen_at', '>', since)
    .execute()
  return rows.map(({ secrets }) => JSON.parse(secrets) as KnownSecrets)
}

/** What the process knew that used the database last; undefined before the first one. */
export async function findLastSecrets(db: Db): Promise<KnownSecrets | undefined> {
  const row = await db.selectFrom('installation').select('secrets').executeTakeFirst()
  return row?.secrets ? (JSON.parse(row.secrets) as KnownSecrets) : undefined
}

/** @param secrets undefined: the next process may have any */
export async function keepLastSecrets(db: Db, secrets: KnownSecrets | undefined): Promise<void> {
  await db
    .updateTable('installation')
    .set({ secrets: secrets === undefined ? null : JSON.stringify(secrets) })
    .execute()
}

export async function deleteReplica(db: Db, id: string): Promise<void> {
  await db.deleteFrom('replicas').where('id', '=', id).execute()
}
