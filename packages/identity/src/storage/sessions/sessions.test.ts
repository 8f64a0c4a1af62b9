import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTestDatabase, testOnEach as test, testOn } from '../../../test/kit/databases.ts'
import { idOf, nameOf } from '../../../test/kit/ids.ts'
import { type Db, withTransaction } from '../db.ts'
import { updateCredentialOnce } from '../identities/credentials.ts'
import { insertIdentity, lockIdentity } from '../identities/identities.ts'
import { deleteOldRows } from '../old-rows.ts'
import {
  revokeOldestSessions,
  revokeOtherSessions,
  revokeSession,
  revokeSessionByToken,
} from './ended-sessions.ts'
import type { StoredSession } from './sessions.ts'
import {
  countSessions,
  findSession,
  findSessionByToken,
  insertSession,
  listSessions,
  renewSession,
} from './sessions.ts'
import { lockStanding } from './standing.ts'

const at = (seconds: number) => new Date(Date.UTC(2031, 3, 2) + seconds * 1000).toISOString()

const ADA = idOf('ada')

const session = (name: string, parts: Partial<StoredSession> = {}): StoredSession => ({
  id: idOf(name),
  identity_id: ADA,
  aal: 'aal1',
  methods: [{ method: 'password', aal: 'aal1', completed_at: at(0) }],
  devices: [{ id: 'd', ip_address: '::1', user_agent: 'nul\0', location: '' }],
  issued_at: at(0),
  authenticated_at: at(0),
  expires_at: at(100),
  ...parts,
})

const address = (name: string, value: string) => ({
  id: idOf(name),
  purpose: 'verification' as const,
  via: 'email' as const,
  value,
  status: 'pending' as const,
  created_at: at(0),
  updated_at: at(0),
})

async function withSessions(...sessions: readonly StoredSession[]): Promise<Db> {
  const db = await openTestDatabase()
  await insertIdentity(db, {
    id: ADA,
    schema_id: 'default',
    traits: {},
    metadata_public: null,
    metadata_admin: null,
    state: 'active',
    available_aal: 'aal1',
    created_at: at(0),
    updated_at: at(0),
    addresses: [address('2', 'b@example.com'), address('1', 'B@example.com')],
  })
  for (const one of sessions) await insertSession(db, one, `hash of ${nameOf(one.id)}`)
  return db
}

const everything = { identity_id: ADA, limit: 50, offset: 0 }

test('finds a session with its owner and addresses, inside and outside a transaction', async () => {
  const db = await withSessions(session('one'))
  const found = await findSessionByToken(db, 'hash of one')
  assert.deepEqual(found?.session, session('one'))
  assert.deepEqual(
    found?.identity.addresses.map(({ value }) => value),
    ['B@example.com', 'b@example.com'],
  )
  assert.deepEqual(await findSession(db, idOf('one')), found)
  await withTransaction(db, async (db) =>
    assert.deepEqual(await findSessionByToken(db, 'hash of one'), found),
  )
  assert.equal(await findSessionByToken(db, 'hash of two'), undefined)
})

test('a renewed session has a new token, and the old one is invalid', async () => {
  const db = await withSessions(session('one'))
  await renewSession(db, session('one', { aal: 'aal2', expires_at: at(500) }), 'new hash')
  assert.equal(await findSessionByToken(db, 'hash of one'), undefined)
  const found = await findSessionByToken(db, 'new hash')
  assert.deepEqual(found?.session, session('one', { aal: 'aal2', expires_at: at(500) }))
})

test('lists and counts sessions by filter, newest first', async () => {
  const db = await withSessions(
    session('a', { issued_at: at(1) }),
    session('b', { issued_at: at(3) }),
    session('c', { issued_at: at(2), expires_at: at(10) }),
    session('d', { issued_at: at(3), revoked_at: at(5) }),
  )
  const ids = async (filter: object) =>
    (await listSessions(db, { ...everything, ...filter })).map(({ id }) => nameOf(id)).join('')
  assert.equal(await ids({}), 'bdca')
  assert.equal(await ids({ limit: 2, offset: 1 }), 'dc')
  assert.equal(await ids({ live_at: at(10) }), 'ba')
  assert.equal(await ids({ ended_at: at(10) }), 'dc')
  assert.equal(await ids({ except: idOf('b') }), 'dca')
  assert.equal(await countSessions(db, { ...everything, live_at: at(10) }), 2)
})

test('ends a session by owner, by token or from another device', async () => {
  const db = await withSessions(session('a'), session('b'), session('c'))
  await revokeSession(db, idOf('another'), idOf('a'), at(1))
  assert.equal((await findSession(db, idOf('a')))?.session.revoked_at, undefined)
  await revokeSession(db, ADA, idOf('a'), at(1))
  await revokeSession(db, ADA, idOf('a'), at(2))
  assert.equal((await findSession(db, idOf('a')))?.session.revoked_at, at(1))
  assert.equal(await revokeSessionByToken(db, 'hash of b', at(3)), ADA)
  assert.equal(await revokeSessionByToken(db, 'hash of x', at(3)), undefined)
  assert.equal(await revokeSessionByToken(db, 'hash of b', at(4)), undefined)
  assert.equal(await revokeOtherSessions(db, ADA, idOf('c'), at(4)), 0)
  assert.equal(await countSessions(db, { ...everything, live_at: at(5) }), 1)
  assert.equal(await revokeOtherSessions(db, ADA, idOf('a'), at(4)), 1)
  assert.equal((await findSession(db, idOf('b')))?.session.revoked_at, at(3))
})

testOn('PostgreSQL', 'an account stays as it is until the session that it opened is stored', async () => {
  const db = await withSessions(session('a'))
  const now = at(1)
  const credential = { identity_id: ADA, type: 'password', version: 1, created_at: now }
  await db
    .insertInto('credentials')
    .values({ ...credential, config: '{}', updated_at: now })
    .execute()
  const sought = { ...credential, identifier: '', aal: 'aal1', also: 'aal2', keep: 9, now } as const
  const order: string[] = []
  let changed: Promise<unknown> | undefined
  await withTransaction(db, async (one) => {
    assert.equal((await lockStanding(one, sought))?.credential?.version, 1)
    changed = withTransaction(db, async (other) => {
      await lockIdentity(other, ADA)
      await updateCredentialOnce(other, credential, {}, now)
      order.push('changed')
    })
    await sleep(100)
    order.push('signed in')
  })
  await changed
  assert.deepEqual(order, ['signed in', 'changed'])
  assert.equal((await lockStanding(db, sought))?.credential?.version, 2)
})

test('deletes expired sessions in batches', async () => {
  const db = await withSessions(
    session('a', { expires_at: at(1) }),
    session('b', { expires_at: at(2) }),
    session('c'),
  )
  assert.equal(await deleteOldRows(db, 'sessions', at(3), 1), 1)
  assert.equal(await deleteOldRows(db, 'sessions', at(3), 9), 1)
  assert.ok(await findSession(db, idOf('c')))
})

testOn(
  'PostgreSQL',
  'sign-ins of one account at the same time end its oldest sessions without waiting for one another',
  async () => {
    const db = await withSessions(...[1, 2, 3].map((n) => session(`s${n}`, { issued_at: at(n) })))
    const beyond = {
      identity_id: ADA,
      aal: 'aal1',
      also: 'aal2',
      keep: 1,
      now: at(10),
      own: idOf('s3'),
    } as const
    const [first, second] = await withTransaction(db, async (one) => [
      await revokeOldestSessions(one, beyond),
      // Waiting would deadlock, because `one` is not committed.
      await withTransaction(db, (other) => revokeOldestSessions(other, beyond)),
    ])
    assert.deepEqual([first, second], [2, 0])
  },
)
