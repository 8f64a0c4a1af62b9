import assert from 'node:assert/strict'
import { test as testOnce } from 'node:test'
import { openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { idOf, nameOf } from '../../test/kit/ids.ts'
import { standard } from '../../test/kit/kit.ts'
import { parseConfig } from '../config/config.ts'
import type { IdentityConfigInput } from '../config/schema.ts'
import type { Context } from '../contract/contract.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { type Db, openDatabase } from '../storage/db.ts'
import { insertEvent, listEvents } from '../storage/events.ts'
import { insertScheduledDeletion } from '../storage/identities/account-deletions.ts'
import { createCleanUp } from './clean-up.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const ADA = idOf('ada')

test('FLT-22 FLT-23 deletes flows five minutes after they expire', async () => {
  const db = await openTestDatabase()
  const flow = (name: string, expires_at: string) => ({
    id: idOf(name),
    kind: 'login',
    identity_id: null,
    expires_at,
    version: 0,
    body: '{}',
  })
  const old = Array.from({ length: 250 }, (_, n) => flow(`old-${n}`, '2031-04-02T08:54:00.000Z'))
  await db
    .insertInto('flows')
    .values([...old, flow('just over', '2031-04-02T08:59:00.000Z'), flow('live', '2031-04-02T10:00:00.000Z')])
    .execute()
  const removed = await createCleanUp(contextOf(db))()
  const left = await db.selectFrom('flows').select('id').orderBy('id').execute()
  assert.equal(removed, 250)
  assert.deepEqual(
    left.map(({ id }) => nameOf(id)),
    ['just over', 'live'],
  )
})

test('keeps events for 90 days', async () => {
  const db = await openTestDatabase()
  await insertAda(db)
  for (const [name, created_at] of [
    ['old', '2031-01-02T08:59:59.000Z'],
    ['kept', '2031-01-02T09:00:01.000Z'],
  ] as const) {
    const event = { event: 'sign_in', outcome: 'ok', created_at } as const
    await insertEvent(db, { ...event, id: idOf(name), identity_id: ADA, client_address: '', user_agent: '' })
  }
  await createCleanUp(contextOf(db))()
  const left = await listEvents(db, ADA, { limit: 10 })
  assert.deepEqual(
    left.map(({ id }) => nameOf(id)),
    ['kept'],
  )
})

test('FLT-31 deletes expired flows even if an account cannot be deleted', async () => {
  const db = await openTestDatabase()
  await insertAda(db)
  await insertScheduledDeletion(db, { identity_id: ADA, requested_at: NOW, due_at: NOW })
  const flow = { id: idOf('old'), kind: 'login', identity_id: null, version: 0, body: '{}' }
  await db
    .insertInto('flows')
    .values({ ...flow, expires_at: '2031-04-02T08:54:00.000Z' })
    .execute()
  // Queueing an email fails without a courier.
  await assert.rejects(createCleanUp(contextOf(db))())
  assert.deepEqual(await db.selectFrom('flows').select('id').execute(), [])
})

async function insertAda(db: Db): Promise<void> {
  const identity = {
    id: ADA,
    schema_id: 'default',
    traits: '{}',
    state: 'active',
    available_aal: 'aal1',
  } as const
  const times = { created_at: NOW, updated_at: NOW }
  const rest = { metadata_public: null, metadata_admin: null, state_changed_at: null, external_id: null }
  await db
    .insertInto('identities')
    .values({ ...identity, ...rest, ...times })
    .execute()
}

testOnce('FLT-22 finds the rows of each batch by an index', async () => {
  const db = await openDatabase('memory')
  const { rows } = await db.executeQuery<{ detail: string }>({
    ...db
      .selectFrom('flows')
      .select('id')
      .where('expires_at', '<', NOW)
      .orderBy('expires_at')
      .limit(100)
      .compile(),
    sql: 'explain query plan select id from flows where expires_at < ? order by expires_at limit ?',
  })
  assert.match(rows.map(({ detail }) => detail).join(), /USING (COVERING )?INDEX flows_by_expires_at/)
})

function contextOf(db: Db): Context {
  const { config } = parseConfig({ ...standard({}), dsn: 'memory' } as IdentityConfigInput)
  return { db, config, now: () => new Date(NOW), metrics: createMetrics(METRICS) } as Context
}
