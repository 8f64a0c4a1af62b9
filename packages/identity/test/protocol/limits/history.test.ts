import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../src/storage/db.ts'
import { newDsn, openTestDatabase, testOnEach } from '../../kit/databases.ts'
import { ADA } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'

testOnEach(
  'SEC-131 an account keeps its last thousand ended sessions, and all events but old logins',
  async () => {
    const dsn = await newDsn({ shared: true })
    const identity = await createTestIdentity({ dsn })
    const db = await openTestDatabase(dsn)
    await identity.user(ADA)
    await identity.browser().signIn(ADA)
    await copyRow(db, 'sessions', 1_015, { revoked_at: '2026-01-01T00:00:00.000Z' })
    await copyRow(db, 'events', 2_015, { event: 'sign_in', created_at: '2026-01-01T00:00:00.000Z' })
    await copyRow(db, 'events', 3, { event: 'credential_changed', created_at: '2025-12-01T00:00:00.000Z' })
    for (let n = 0; n < 4; n++) {
      const { session } = (await identity.browser().signIn(ADA)).body
      assert.equal((await identity.admin('DELETE', `/admin/sessions/${session.id}`)).status, 204)
    }
    const ended = await db.selectFrom('sessions').select('id').where('revoked_at', 'is not', null).execute()
    const events = await db.selectFrom('events').select('event').execute()
    assert.equal(ended.length, 1_000)
    const count = (...names: string[]) => events.filter(({ event }) => names.includes(event)).length
    assert.equal(count('sign_in', 'session_ended'), 2_000)
    assert.equal(count('credential_changed'), 3)
  },
)

testOnEach('the download of an account has all its sessions and events', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  const db = await openTestDatabase(dsn)
  await identity.user(ADA)
  const { session } = (await identity.browser().signIn(ADA)).body
  for (const table of ['sessions', 'events'] as const) await copyRow(db, table, 1_200, {})
  const answer = await identity.account.exportAll(session.id)
  assert.ok(answer.kind === 'exported')
  const { sessions, events } = answer.data
  assert.deepEqual([sessions.length, events.length], [1_201, 1_201])
})

testOnEach(
  'SEC-131 asking for the deletion of an account ends its sessions, and deletes nothing yet',
  async () => {
    const dsn = await newDsn({ shared: true })
    const identity = await createTestIdentity({ dsn })
    const db = await openTestDatabase(dsn)
    await identity.user(ADA)
    const session = (await identity.browser().signIn(ADA)).body.session
    await copyRow(db, 'sessions', 100, { revoked_at: '2026-01-01T00:00:00.000Z' })
    assert.equal((await identity.account.requestDeletion(session.id)).kind, 'scheduled')
    const rows = await db.selectFrom('sessions').select('revoked_at').execute()
    assert.equal(rows.length, 101)
    assert.ok(rows.every(({ revoked_at }) => revoked_at !== null))
  },
)

/** Copies the first row of the table. */
async function copyRow(
  db: Db,
  table: 'sessions' | 'events',
  count: number,
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const row = await db.selectFrom(table).selectAll().executeTakeFirstOrThrow()
  const unique = 'token_hash' in row ? ['id', 'token_hash'] : ['id']
  for (let left = count; left > 0; left -= 100) {
    const rows = Array.from({ length: Math.min(100, left) }, () => ({
      ...row,
      ...changes,
      ...Object.fromEntries(unique.map((name) => [name, randomUUID()])),
    }))
    await db
      .insertInto(table)
      .values(rows as never)
      .execute()
  }
}
