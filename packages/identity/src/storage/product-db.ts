import { type Kysely, sql } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

export type { Migration } from 'kysely/migration'

/**
 * The service's database, or a transaction of it, for the tables of a product:
 * `db.$extendTables<{ links: LinksTable }>()`. Both dialects bind text, numbers, null and bytes, and return
 * `timestamptz` as ISO 8601 text. Inside a transaction, use only its own `db`, because on SQLite any other
 * write waits for its end.
 */
export type ProductDb = Kysely<NoTables>

type NoTables = Record<never, never>

export function toProductDb(db: Db): ProductDb {
  return db.$omitTables<keyof Tables>()
}

export function fromProductDb(db: ProductDb): Db {
  return db.$extendTables<Pick<Tables, keyof Tables>>()
}

/** Throws if the database does not respond. */
export async function answers(db: Db): Promise<boolean> {
  return (await sql`select 1`.execute(db)).rows.length === 1
}
