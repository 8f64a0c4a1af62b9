import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { User } from './product.ts'

/** One account in this many has a session for the clean-up. */
export const ENDED_IN = 20

export function emailOf(n: number): string {
  return `user-${n}@example.com`
}

export function tokenOf(n: number): string {
  return `ory_st_growth_${n}`
}

/** Inclusive. */
export type Range = readonly [first: number, last: number]

interface Dialect {
  /** A row for each number `n`. */
  numbers(range: Range): string
  hex(expression: string, digits: number): string
  sha256(expression: string): string
  typed(expression: string, type: 'uuid' | 'timestamptz'): string
}

const sqlite: Dialect = {
  numbers: ([first, last]) =>
    `(with recursive s(n) as (select ${first} union all select n + 1 from s where n < ${last}) select n from s)`,
  hex: (expression, digits) => `printf('%0${digits}x', ${expression})`,
  sha256: (expression) => `sha256(${expression})`,
  typed: (expression) => expression,
}

const postgres: Dialect = {
  numbers: ([first, last]) => `(select n::bigint from generate_series(${first}, ${last}) as n) as numbers`,
  hex: (expression, digits) => `lpad(to_hex((${expression})::bigint), ${digits}, '0')`,
  sha256: (expression) =>
    `translate(encode(sha256(convert_to(${expression}, 'UTF8')), 'base64'), '+/=', '-_')`,
  typed: (expression, type) => `${expression}::${type}`,
}

/** Fills the file of a stopped product; the accounts have the password of `user`. @returns the size in bytes */
export function fillFile(file: string, user: User, range: Range): number {
  const db = new DatabaseSync(file)
  db.function('sha256', { deterministic: true }, (text) =>
    createHash('sha256').update(`${text}`).digest('base64url'),
  )
  db.exec('pragma synchronous = off; begin')
  for (const statement of statements(sqlite, user, range)) db.exec(statement)
  db.exec('commit; analyze')
  db.close()
  // The product's first commits would wait for the disk.
  const written = openSync(file, 'r+')
  fsyncSync(written)
  closeSync(written)
  return statSync(file).size
}

export async function fillDatabase(connectionString: string, user: User, range: Range): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (const statement of statements(postgres, user, range)) await client.query(statement)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size')
  await client.end()
  return Number(rows[0]?.size)
}

function statements(
  { numbers: numbersOf, hex, sha256, typed }: Dialect,
  { email }: User,
  range: Range,
): string[] {
  const numbers = numbersOf(range)
  // Scattered over the index, like random ids.
  const id = (kind: number) =>
    typed(
      `(${hex('n * 2654435761 % 4294967296', 8)} || '-0000-4000-8000-${kind}' || ${hex('n', 11)})`,
      'uuid',
    )
  const address = `'user-' || n || '@example.com'`
  const now = new Date().toISOString()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const longAgo = new Date(Date.now() - 100 * 86_400_000).toISOString()
  const template = (column: string) =>
    `(select c.${column} from credentials c join credential_identifiers i on i.identity_id = c.identity_id and i.type = c.type where i.identifier = '${email}' and c.type = 'password')`
  return [
    `insert into identities (id, schema_id, traits, state, state_changed_at, available_aal, created_at, updated_at)
     select ${id(1)}, 'person', '{"email":"' || ${address} || '"}', 'active', '${now}', 'aal1', '${now}', '${now}' from ${numbers}`,
    ...['verification', 'recovery'].map(
      (purpose, kind) =>
        `insert into addresses (id, identity_id, purpose, via, value, status, verified_at, created_at, updated_at)
         select ${id(2 + kind)}, ${id(1)}, '${purpose}', 'email', ${address}, 'completed', '${now}', '${now}', '${now}' from ${numbers}`,
    ),
    `insert into credentials (identity_id, type, config, version, created_at, updated_at)
     select ${id(1)}, 'password', ${template('config')}, 0, '${now}', '${now}' from ${numbers}`,
    `insert into credential_identifiers (identity_id, identifier, type)
     select ${id(1)}, ${address}, 'password' from ${numbers}`,
    `insert into sessions (id, identity_id, token_hash, aal, methods, devices, issued_at, authenticated_at, expires_at)
     select ${id(4)}, ${id(1)}, ${sha256(`'${tokenOf(0).slice(0, -1)}' || n`)}, 'aal1', '[]', '[]', '${now}', '${now}',
       ${typed(`(case when n % ${ENDED_IN} = 0 then '${longAgo}' else '${tomorrow}' end)`, 'timestamptz')} from ${numbers}`,
  ]
}
