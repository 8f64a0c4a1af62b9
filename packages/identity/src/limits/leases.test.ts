import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newDsn, openTestDatabase, test, testOn, testOnEach } from '../../test/kit/databases.ts'
import { createTestIdentity } from '../../test/kit/kit.ts'
import { replicas } from '../../test/kit/replicas-kit.ts'
import type { Config } from '../config/config.ts'
import { createOnce } from '../contract/once.ts'
import { refundLeased, takeLeased } from './leases.ts'

const ADA = 'ada@example.com'

testOnEach('SEC-44 parallel attempts at two replicas never exceed a shared limit', async () => {
  const { app } = await replicas({ limits: { flow: { client: { burst: 200, refill: '1h' } } } })
  const clients = Array.from({ length: 300 }, () => Object.assign(app(), { address: '203.0.113.7' }))
  const answers = await Promise.all(clients.map((client) => client.open('login')))
  const admitted = answers.filter(({ status }) => status === 200).length
  assert.ok(admitted <= 200 && admitted >= 200 - 2 * 4, `${admitted} were admitted`)
})

test('a sign-in refunds the form that another replica opened', async () => {
  const { first, app } = await replicas({ limits: { flow: { client: { burst: 100, refill: '1h' } } } })
  await first.user(ADA)
  const client = app()
  for (let n = 0; n < 110; n += 1) {
    client.token = undefined
    assert.equal((await client.signIn(ADA)).status, 200, `sign-in ${n}`)
  }
})

// The triggers are SQLite's.
testOn('SQLite', 'a sign-in of a busy client writes at most four rows of limits', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  browser.cookies.delete('ory_kratos_session')
  const db = await openTestDatabase(dsn)
  for (const event of ['insert', 'update'])
    await sql`create trigger ${sql.id(`count_${event}`)} after ${sql.raw(event)} on limits
      begin insert into errors (id, body, created_at, updated_at) values (hex(randomblob(8)), new.key, '', ''); end`.execute(
      db,
    )
  assert.equal((await browser.signIn(ADA)).status, 200)
  const writes = await db.selectFrom('errors').select('id').execute()
  assert.ok(writes.length <= 4, `${writes.length} rows`)
})

for (const processes of [1, 3])
  test(`SEC-44 with ${processes} processes, a limit is exceeded by at most a lease of each`, async () => {
    const db = await openTestDatabase()
    let now = Date.UTC(2031, 0, 1)
    const contexts = Array.from({ length: processes }, () => ({
      db,
      now: () => new Date(now),
      once: createOnce({} as Config),
    }))
    const charge = { key: 'k', burst: 50, refill: 1_000, lease: 5 }
    // Uses that are not refilled yet.
    let uses = 0
    for (let n = 0; n < 3_000; n += 1) {
      const pause = [0, 0, 700, 1_900][n % 4] as number
      now += pause
      uses = Math.max(0, uses - pause / charge.refill)
      const ctx = contexts[(n * 7) % processes] as (typeof contexts)[number]
      if (n % 9 === 0) {
        await refundLeased(ctx, [charge])
        uses = Math.max(0, uses - 1)
        continue
      }
      const isAdmitted = !(await takeLeased(ctx, [charge]))
      if (isAdmitted) uses += 1
      assert.ok(uses <= charge.burst + processes * charge.lease, `attempt ${n}`)
      assert.ok(isAdmitted || processes > 1 || uses + 1 > charge.burst, `attempt ${n}`)
    }
  })
