import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { openTestDatabase, testOnEach as test } from '../../../test/kit/databases.ts'
import { isPostgres } from '../database.ts'
import type { Db } from '../db.ts'
import { countIdentities, type IdentityFilter, listIdentities } from './identity-lists.ts'

const COUNT = 45_000
const NOW = '2031-04-02T09:00:00.000Z'
const START = '00000000-0000-4000-8000-'

test('search finds every page and lets other statements run in between', async () => {
  const db = await openTestDatabase()
  await fill(db)
  const search = async (part: string, page: { limit: number; after?: string; offset?: number }) =>
    (await listIdentities(db, { similar_identifiers: [part] }, page)).map(numberOf)

  assert.deepEqual(await search('user', { limit: 3 }), [1, 2, 3])
  assert.deepEqual(await search('user', { limit: 3, after: idOf(19_999) }), [20_000, 20_001, 20_002])
  assert.deepEqual(await search('user', { limit: 2, offset: 39_999 }), [40_000, 40_001])
  // Matches in several pieces, including the last.
  assert.deepEqual(await search('9999@', { limit: 9 }), [9_999, 19_999, 29_999, 39_999])
  assert.deepEqual(await search(`user-${COUNT}@`, { limit: 9 }), [COUNT])
  assert.deepEqual(await search('er_', { limit: 9 }), [])
  assert.equal(await countIdentities(db, { similar_identifiers: ['9999@'] }), 4)

  let turns = 0
  setImmediate(() => (turns += 1))
  assert.deepEqual(await search('nothing', { limit: 9 }), [])
  assert.equal(turns, 1)
})

test('search for one or two characters finds identifiers and addresses that begin with them', async () => {
  const db = await openTestDatabase()
  await fill(db)
  for (const n of [7, COUNT]) await addAddress(db, n, 'recovery', `mail-${n}@example.com`)
  const search = async (part: string, page: { limit: number; after?: string; offset?: number }) =>
    (await listIdentities(db, { similar_identifiers: [part] }, page)).map(numberOf)

  assert.deepEqual(await search('ma', { limit: 9 }), [7, COUNT])
  assert.deepEqual(await search('m', { limit: 9, after: idOf(7) }), [COUNT])
  assert.deepEqual(await search('m', { limit: 9, offset: 1 }), [COUNT])
  for (const part of ['il', 'zz', 'm_', '%']) assert.deepEqual(await search(part, { limit: 9 }), [])
  assert.equal(await countIdentities(db, { similar_identifiers: ['ma'] }), 2)
  // Almost all accounts.
  assert.deepEqual(await search('us', { limit: 2, after: idOf(39_999) }), [40_000, 40_001])
  assert.equal(await countIdentities(db, { similar_identifiers: ['u'] }), COUNT)

  await sql`update identities set state = 'inactive' where id = ${idOf(7)}`.execute(db)
  assert.equal(await countIdentities(db, { similar_identifiers: ['ma'], state: 'active' }), 1)
  assert.equal(await countIdentities(db, { similar_identifiers: ['ma'], state: 'inactive' }), 1)
})

test('search finds accounts by address once, also without credentials', async () => {
  const db = await openTestDatabase()
  await fill(db)
  for (const purpose of ['verification', 'recovery'])
    for (const n of [7, COUNT]) await addAddress(db, n, purpose, `mail-${n}@example.com`)
  await sql`delete from credentials where identity_id = ${idOf(7)}`.execute(db)
  const find = async (filter: IdentityFilter) =>
    (await listIdentities(db, filter, { limit: 9 })).map(numberOf)
  assert.deepEqual(await find({ similar_identifiers: ['ail-'] }), [7, COUNT])
  assert.deepEqual(await find({ credentials_identifiers: ['mail-7@example.com'] }), [7])
  assert.deepEqual(await find({ credentials_identifiers: ['user-8@example.com'] }), [8])
  assert.equal(await countIdentities(db, { similar_identifiers: ['mail-'] }), 2)
  assert.equal(await countIdentities(db, { credentials_identifiers: ['mail-7@example.com'] }), 1)
})

const idOf = (n: number) => START + `${n}`.padStart(12, '0')
const numberOf = ({ id }: { readonly id: string }) => Number(id.slice(START.length))

async function addAddress(db: Db, n: number, purpose: string, value: string): Promise<void> {
  await sql`insert into addresses (id, identity_id, purpose, via, value, status, created_at, updated_at)
    values (${randomUUID()}, ${idOf(n)}, ${purpose}, 'email', ${value}, 'pending', ${NOW}, ${NOW})`.execute(
    db,
  )
}

async function fill(db: Db): Promise<void> {
  const numbers = sql`with recursive s(n) as (select 1 union all select n + 1 from s where n < ${sql.lit(COUNT)})`
  const id = isPostgres(db)
    ? sql`(${sql.lit(START)} || lpad(n::text, 12, '0'))::uuid`
    : sql`${sql.lit(START)} || printf('%012d', n)`
  await sql`insert into identities (id, schema_id, traits, state, available_aal, created_at, updated_at)
    ${numbers} select ${id}, 'default', '{}', 'active', 'aal1', ${sql.lit(NOW)}, ${sql.lit(NOW)} from s`.execute(
    db,
  )
  await sql`insert into credentials (identity_id, type, config, version, created_at, updated_at)
    ${numbers} select ${id}, 'password', '{}', 0, ${sql.lit(NOW)}, ${sql.lit(NOW)} from s`.execute(db)
  await sql`insert into credential_identifiers (identity_id, identifier, type)
    ${numbers} select ${id}, 'user-' || n || '@example.com', 'password' from s`.execute(db)
}
