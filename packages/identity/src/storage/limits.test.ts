import assert from 'node:assert/strict'
import { newDsn, openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import type { Db } from './db.ts'
import { type Charge, deleteRefilledLimits, refundLimits, takeLimits } from './limits.ts'

const NOW = Date.parse('2031-04-02T09:00:00.000Z')
const SECOND = 1_000

const plain = (key: string, burst: number, refill = 10 * SECOND): Charge => ({ key, burst, refill })
const slowing = (key: string, burst: number): Charge => ({
  ...plain(key, burst, 60 * SECOND),
  waits: [1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * SECOND),
})

/** How many of `tries` attempts pass, `every` milliseconds apart. */
async function passing(db: Db, charges: readonly Charge[], tries: number, every = 0, from = NOW) {
  let passed = 0
  for (let n = 0; n < tries; n++) if (!(await takeLimits(db, charges, from + n * every))) passed++
  return passed
}

test('SEC-44 admits exactly the limit of concurrent attempts', async () => {
  const dsn = await newDsn({ shared: true })
  const replicas = [await openTestDatabase(dsn), await openTestDatabase(dsn)]
  for (const charge of [plain('plain', 10), slowing('slowing', 10)]) {
    const all = plain('all', 10_000)
    const tries = Array.from({ length: 500 }, (_, n) => takeLimits(replicas[n % 2] as Db, [charge, all], NOW))
    const passed = (await Promise.all(tries)).filter((refusal) => refusal === undefined)
    assert.equal(passed.length, 10, charge.key)
  }
})

test('takes and refunds limits concurrently without a deadlock', async () => {
  const dsn = await newDsn({ shared: true })
  const replicas = [await openTestDatabase(dsn), await openTestDatabase(dsn)]
  const charges = Array.from({ length: 20 }, (_, n) => plain(`${(n * 7) % 20}`, 1_000))
  const attempts = Array.from({ length: 400 }, async (_, n) => {
    const db = replicas[n % 2] as Db
    await takeLimits(db, charges, NOW)
    await refundLimits(db, n % 4 < 2 ? charges : charges.toReversed())
  })
  const ended = await Promise.allSettled(attempts)
  assert.deepEqual(
    ended.filter(({ status }) => status === 'rejected'),
    [],
  )
})

test('allows no second burst at the edge of a window', async () => {
  const db = await openTestDatabase()
  assert.equal(await passing(db, [plain('k', 5)], 20), 5)
  assert.equal(await passing(db, [plain('k', 5)], 20, 0, NOW + 10 * SECOND), 1)
  assert.equal(await passing(db, [plain('k', 5)], 20, 0, NOW + 59 * SECOND), 4)
  // Per minute, the burst plus the refill.
  assert.equal(await passing(db, [plain('other', 5)], 600, 100), 5 + 5)
})

test('FLT-12 a clock set back locks out no user and leaves half of a limit', async () => {
  const db = await openTestDatabase()
  const hourAgo = NOW - 3_600 * SECOND
  for (const charge of [plain('plain', 5), slowing('slowing', 5)]) {
    assert.equal(await passing(db, [charge], 20), 5)
    assert.equal(await passing(db, [charge], 20, 0, hourAgo), 3)
    assert.equal(await passing(db, [charge], 20, 0, hourAgo + charge.refill), 1)
  }
})

test('a refusal counts nothing and does not extend the wait', async () => {
  const db = await openTestDatabase()
  await passing(db, [plain('k', 2)], 2)
  for (let n = 0; n < 50; n++)
    assert.deepEqual(await takeLimits(db, [plain('k', 2)], NOW + n), {
      key: 'k',
      next_at: NOW + 10 * SECOND,
      keys: ['k'],
    })
  assert.equal(await takeLimits(db, [plain('k', 2)], NOW + 10 * SECOND), undefined)
})

test('counts none of several limits if one is exhausted', async () => {
  const db = await openTestDatabase()
  const [tight, wide] = [plain('tight', 1), plain('wide', 3)]
  assert.equal(await passing(db, [tight, wide], 5), 1)
  assert.equal(await passing(db, [wide], 5), 2)
})

test('a refusal names every exhausted limit and the longest wait', async () => {
  const db = await openTestDatabase()
  const [short, long, wide] = [plain('short', 1), plain('long', 1, 60 * SECOND), plain('wide', 9)]
  await passing(db, [short, long, wide], 1)
  const refusal = await takeLimits(db, [wide, short, long], NOW)
  assert.deepEqual(refusal, { key: 'long', next_at: NOW + 60 * SECOND, keys: ['long', 'short'] })
})

test('slows an account down by 1, 2, 4 seconds', async () => {
  const db = await openTestDatabase()
  let now = NOW
  const waits: number[] = []
  for (let n = 0; n < 12; n++) {
    assert.equal(await takeLimits(db, [slowing('k', 3)], now), undefined)
    const refusal = await takeLimits(db, [slowing('k', 3)], now)
    if (!refusal) await refundLimits(db, [slowing('k', 3)])
    waits.push(refusal ? (refusal.next_at - now) / SECOND : 0)
    now = refusal?.next_at ?? now
  }
  assert.deepEqual(waits.slice(0, 3), [0, 0, 1])
  assert.ok(
    waits.every((wait, n) => wait <= 60 && (n === 0 || wait >= (waits[n - 1] ?? 0))),
    String(waits),
  )
  assert.equal(waits.at(-1), 60)
})

test('SEC-44 adds no rows for new clients once the total is exhausted', async () => {
  const db = await openTestDatabase()
  const total = plain('total', 10)
  for (let n = 0; n < 1000; n++) await takeLimits(db, [plain(`client ${n}`, 5), total], NOW)
  const { rows } = await db
    .selectFrom('limits')
    .select((eb) => eb.fn.countAll<number | string>().as('rows'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(rows), 11)
})

test('compiles one statement for all clients', async () => {
  const db = await openTestDatabase()
  const statements = new Set<string>()
  const watched = db.withPlugin({
    transformQuery({ node, queryId }) {
      statements.add(db.getExecutor().compileQuery(node, queryId).sql)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  for (let n = 0; n < 5; n++)
    await takeLimits(watched, [plain(`client ${n}`, 5), slowing(`account ${n}`, 5)], NOW)
  assert.equal(statements.size, 1)
})

test('restores a refunded attempt', async () => {
  const db = await openTestDatabase()
  for (const charge of [plain('plain', 2), slowing('slowing', 2)]) {
    assert.equal(await passing(db, [charge], 9), 2)
    await refundLimits(db, [charge])
    assert.equal(await passing(db, [charge], 9), 1)
  }
})

test('deletes a limit that has refilled', async () => {
  const db = await openTestDatabase()
  await passing(db, [plain('short', 5), plain('long', 5, 3_600 * SECOND)], 1)
  assert.equal(await deleteRefilledLimits(db, { last: undefined, before: NOW + 60 * SECOND }), 1)
  assert.deepEqual(await db.selectFrom('limits').select('key').execute(), [{ key: 'long' }])
})
