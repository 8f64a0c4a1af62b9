import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase, testOn } from '../../test/kit/databases.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createClock } from './clock.ts'

const DAY_MS = 86_400_000

testOn(
  'PostgreSQL',
  'FLT-35 a jump of the clock changes nothing but readiness, the metric and the log',
  async () => {
    const { clock, db, logged, setOffset, metric } = await newClock()
    await clock.measure(db)
    await clock.assertRight(db)
    for (const days of [1, -1]) {
      setOffset(days * DAY_MS)
      assertNear(clock.now(), 0)
      await assert.rejects(
        clock.assertRight(db),
        /^Error: the clock of this machine is 86\d{3} s (ahead|behind)/,
      )
      assert.ok(Math.abs((await metric()) - days * 86_400) < 60)
    }
    setOffset(10_000)
    await clock.assertRight(db)
    await clock.measure(db)
    setOffset(0)
    await clock.measure(db)
    await clock.assertRight(db)
    assert.deepEqual(logged, [
      "error the machine's clock differs from the database's; not ready",
      "warn the machine's clock differs from the database's",
      "info the machine's clock agrees with the database's again",
    ])
  },
)

testOn('SQLite', 'FLT-35 is the clock of the machine on SQLite', async () => {
  const { clock, db, setOffset, metric } = await newClock()
  await clock.measure(db)
  setOffset(DAY_MS)
  assertNear(clock.now(), DAY_MS)
  await clock.assertRight(db)
  assert.ok(Number.isNaN(await metric()))
})

test('a given clock replaces all others', () => {
  const now = new Date('2031-04-02T09:00:00.000Z')
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  assert.equal(createClock({ now: () => now, metrics: createMetrics(METRICS), log }).now(), now)
})

async function newClock() {
  let offset = 0
  const logged: string[] = []
  const at = (level: string) => (_: object, message: string) => void logged.push(`${level} ${message}`)
  const log = { debug() {}, info: at('info'), warn: at('warn'), error: at('error') }
  const metrics = createMetrics(METRICS)
  const clock = createClock({ machineClock: () => new Date(Date.now() + offset), metrics, log })
  const metric = async () =>
    Number(/^identity_clock_offset_seconds (\S+)/m.exec((await metrics.expose()).text)?.[1])
  return {
    clock,
    db: await openTestDatabase(),
    logged,
    metric,
    setOffset(ms: number) {
      offset = ms
    },
  }
}

function assertNear(time: Date, offset: number): void {
  const difference = time.getTime() - Date.now() - offset
  assert.ok(Math.abs(difference) < 30_000, `${difference} ms`)
}
