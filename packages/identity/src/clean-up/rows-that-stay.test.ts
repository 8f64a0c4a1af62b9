import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { idOf } from '../../test/kit/ids.ts'
import { standard } from '../../test/kit/kit.ts'
import { statementWatch } from '../../test/kit/watched-context.ts'
import { parseConfig } from '../config/config.ts'
import type { IdentityConfigInput } from '../config/schema.ts'
import type { Context } from '../contract/contract.ts'
import { createProductHooks } from '../extension/product-hooks.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import type { Db } from '../storage/db.ts'
import { createCleanUp } from './clean-up.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const OLD = '2031-01-02T09:00:00.000Z'
const MANY = 1200

/** The rows that stay for ever, or long. Each is old enough to be looked at. */
const STAYING: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  'imported accounts without a verified address': (db) => insertAccounts(db, 'imported', MANY),
  'accounts that cannot be deleted': async (db) => {
    await insertAccounts(db, 'due', MANY)
    await inChunks(
      MANY,
      (n) => ({ identity_id: idOf(`due-${n}`), requested_at: OLD, due_at: OLD }),
      (rows) => db.insertInto('account_deletions').values(rows).execute(),
    )
  },
  'limits in use': (db) =>
    inChunks(
      MANY,
      (n) => ({ key: `used-${n}`, next_at: 0, until: Date.parse(NOW) + 3_600_000 }),
      (rows) => db.insertInto('limits').values(rows).execute(),
    ),
}

for (const [name, insert] of Object.entries(STAYING))
  test(`FLT-34 a round of the clean-up costs the same with many ${name}`, async () => {
    const watched = await openWatched()
    const few = await watched.statementsOfRound()
    await insert(watched.db)
    const failures = name.includes('cannot') ? 500 : 0
    for (let round = 0; round < 2; round += 1) {
      const { count, longest } = await watched.statementsOfRound()
      // A failed deletion takes a lock, a deletion and a look-up.
      assert.ok(count <= few.count + 5 + 4 * failures, `${count} statements, not ${few.count}`)
      assert.ok(longest <= 500, `a statement returned ${longest} rows`)
    }
  })

test('FLT-34 finds the account to delete behind many that stay', async () => {
  const { db, cleanUp } = await openWatched()
  await insertAccounts(db, 'imported', MANY)
  await insertAccounts(db, 'forgotten', 1, '2031-01-03T09:00:00.000Z')
  await db
    .insertInto('sign_ups')
    .values({ identity_id: idOf('forgotten-0'), browsers: '[]' })
    .execute()
  for (let round = 0; round < 3; round += 1) await cleanUp()
  const left = await db.selectFrom('identities').select('id').where('id', '=', idOf('forgotten-0')).execute()
  assert.deepEqual(left, [])
  const { count } = await db
    .selectFrom('identities')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, MANY)
})

async function openWatched() {
  const database = await openTestDatabase()
  let count = 0
  let longest = 0
  const db = database.withPlugin(
    statementWatch((_kind, rows) => {
      count += 1
      longest = Math.max(longest, rows)
    }),
  )
  const config = {
    ...standard({ retention: { unverified_accounts: '168h' } }),
    dsn: 'memory',
  } as IdentityConfigInput
  const ctx = {
    ...{ db, config: parseConfig(config).config, now: () => new Date(NOW), metrics: createMetrics(METRICS) },
    afterCommit: (effect: () => void) => effect(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    product: createProductHooks({}, db),
  } as unknown as Context
  const cleanUp = createCleanUp(ctx)
  const statementsOfRound = async () => {
    count = 0
    longest = 0
    // Without a courier, an account cannot be deleted.
    await cleanUp().catch(() => {})
    return { count, longest }
  }
  return { db: database, cleanUp, statementsOfRound }
}

async function insertAccounts(db: Db, name: string, count: number, created_at = OLD): Promise<void> {
  const times = { created_at, updated_at: created_at }
  const nothing = { metadata_public: null, metadata_admin: null, state_changed_at: null, external_id: null }
  const kind = { schema_id: 'default', traits: '{}', state: 'active', available_aal: 'aal1' } as const
  await inChunks(
    count,
    (n) => ({ id: idOf(`${name}-${n}`), ...kind, ...nothing, ...times }),
    (rows) => db.insertInto('identities').values(rows).execute(),
  )
  const address = { purpose: 'verification', via: 'email', status: 'pending', verified_at: null } as const
  await inChunks(
    count,
    (n) => ({
      ...{ id: idOf(`@${name}-${n}`), identity_id: idOf(`${name}-${n}`), value: `${name}-${n}@example.com` },
      ...address,
      ...times,
    }),
    (rows) => db.insertInto('addresses').values(rows).execute(),
  )
}

async function inChunks<Row>(
  count: number,
  row: (n: number) => Row,
  insert: (rows: Row[]) => Promise<unknown>,
) {
  for (let from = 0; from < count; from += 200)
    await insert(Array.from({ length: Math.min(200, count - from) }, (_, n) => row(from + n)))
}
