import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../../test/kit/databases.ts'
import { idOf, nameOf } from '../../../test/kit/ids.ts'
import { type Db, withTransaction } from '../db.ts'
import type { Credential } from './credentials.ts'
import { findCredential, insertCredentials, listCredentials, updateCredentialOnce } from './credentials.ts'
import type { StoredIdentity } from './identities.ts'
import { deleteIdentity, findAddress, findIdentity, insertIdentity, markAddress } from './identities.ts'
import { listIdentities } from './identity-lists.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const LATER = '2031-04-02T09:00:00.001Z'

const user = (name: string, email: string, parts: Partial<StoredIdentity> = {}): StoredIdentity => ({
  id: idOf(name),
  schema_id: 'default',
  traits: { email },
  metadata_public: null,
  metadata_admin: { 'a list': [1, null] },
  state: 'active',
  available_aal: 'aal1',
  created_at: NOW,
  updated_at: NOW,
  addresses: [
    {
      id: idOf(`${name}-address`),
      purpose: 'verification',
      via: 'email',
      value: email,
      status: 'pending',
      created_at: NOW,
      updated_at: NOW,
    },
  ],
  ...parts,
})

const password = (owner: string, identifiers: readonly string[]): Credential => ({
  identity_id: idOf(owner),
  type: 'password',
  config: { hashed_password: 'x' },
  identifiers,
  version: 0,
  created_at: NOW,
  updated_at: NOW,
})

test('returns a stored identity unchanged', async () => {
  const db = await openTestDatabase()
  const ada = user('a', 'ada@example.com', { external_id: '17', state_changed_at: NOW })
  assert.equal(await insertIdentity(db, ada), 'stored')
  assert.deepEqual(await findIdentity(db, idOf('a')), ada)
  await markAddress(db, idOf('a-address'), true, LATER)
  const proven = { status: 'completed', verified_at: LATER, updated_at: LATER, identity_id: idOf('a') }
  const address = { ...ada.addresses[0], ...proven }
  assert.deepEqual(await findAddress(db, 'verification', 'email', 'ada@example.com'), address)
  assert.equal(await findIdentity(db, idOf('b')), undefined)
})

test('reports a duplicate address and leaves the transaction usable', async () => {
  const db = await openTestDatabase()
  await insertIdentity(db, user('a', 'ada@example.com', { external_id: '17' }))
  await withTransaction(db, async (db) => {
    assert.equal(await insertIdentity(db, user('b', 'ada@example.com')), 'duplicate')
    assert.equal(await insertIdentity(db, user('c', 'c@example.com', { external_id: '17' })), 'duplicate')
    assert.ok(await findIdentity(db, idOf('a')))
  })
})

test('FLT-14 accepts one of many concurrent inserts of an address', async () => {
  const db = await openTestDatabase()
  const take = (id: string) =>
    withTransaction(db, async (db) => {
      const [identity, credential] = [user(id, 'ada@example.com'), password(id, ['ada@example.com'])]
      if ((await insertIdentity(db, identity)) === 'duplicate') throw new Error('taken')
      if ((await insertCredentials(db, [credential])) === 'duplicate') throw new Error('taken')
    })
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => take(`user-${n}`)))
  assert.deepEqual(reasons(results), { done: 1, taken: 29 })
  assert.equal((await listIdentities(db, {}, { limit: 50 })).length, 1)
})

test('FLT-13 accepts one of many concurrent uses of a credential', async () => {
  const db = await openTestDatabase()
  await insertIdentity(db, user('a', 'ada@example.com'))
  await insertCredentials(db, [password('a', [])])
  const consume = () => updateCredentialOnce(db, password('a', []), { used: true }, LATER)
  const consumed = await Promise.all(Array.from({ length: 30 }, consume))
  assert.equal(consumed.filter(Boolean).length, 1)
  const [credential] = await listCredentials(db, idOf('a'))
  assert.deepEqual([credential?.version, credential?.config], [1, { used: true }])
})

test('sorts pages of users by the bytes of their ids', async () => {
  const db = await openTestDatabase()
  for (const id of ['a', 'B', '_', 'ä', 'C', '0']) await insertIdentity(db, user(id, `${id}@example.com`))
  const ids = async (after?: string) => {
    const page = await listIdentities(
      db,
      {},
      { limit: 3, ...(after === undefined ? {} : { after: idOf(after) }) },
    )
    return page.map(({ id }) => nameOf(id))
  }
  assert.deepEqual(await ids(), ['0', 'B', 'C'])
  assert.deepEqual(await ids('C'), ['_', 'a', 'ä'])
  assert.deepEqual(await listIdentities(db, { ids: [] }, { limit: 9 }), [])
})

test('finds an identifier only by its exact spelling', async () => {
  const db = await openTestDatabase()
  await insertIdentity(db, user('a', 'ada@example.com'))
  const odd = ['ada', "a'; drop table identities; --", 'nul\0nul', '\ud800', '😀', 'a%', 'e\u0301']
  await insertCredentials(db, [password('a', odd)])
  for (const identifier of odd) {
    assert.equal((await findCredential(db, 'password', identifier))?.identity_id, idOf('a'), identifier)
  }
  for (const other of ['ADA', 'aa', 'é', 'nulnul', 'ada ']) {
    assert.equal(await findCredential(db, 'password', other), undefined, other)
  }
  const found = await listIdentities(db, { credentials_identifiers: ['ada'] }, { limit: 9 })
  assert.deepEqual(
    found.map(({ id }) => nameOf(id)),
    ['a'],
  )
})

test('deletes everything that belongs to an identity', async () => {
  const db = await openTestDatabase()
  await insertIdentity(db, user('a', 'ada@example.com'))
  await insertCredentials(db, [password('a', ['ada@example.com'])])
  assert.equal(await deleteIdentity(db, idOf('a')), true)
  assert.equal(await deleteIdentity(db, idOf('a')), false)
  for (const table of ['credentials', 'credential_identifiers', 'addresses'] as const) {
    assert.equal(await count(db, table), 0)
  }
})

async function count(db: Db, table: 'credentials' | 'credential_identifiers' | 'addresses'): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  assert.equal(typeof rows, 'number')
  return Number(rows)
}

function reasons(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const told: Record<string, number> = {}
  for (const result of results) {
    const reason = result.status === 'fulfilled' ? 'done' : result.reason.message
    told[reason] = (told[reason] ?? 0) + 1
  }
  return told
}
