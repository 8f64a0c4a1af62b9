import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { atEnd, newDsn, testOnEach } from '@ostiary/identity/testing/kit/databases'
import { listLinks, readlist } from '@ostiary/identity/testing/kit/readlist'
import { until } from '@ostiary/identity/testing/kit/until'
import ownProduct from '../../../../app/server.ts'
import { startJobs as start } from '../../test/jobs.ts'
import { startTestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import type { Product } from '../product/product.ts'
import { nextTime } from './schedule.ts'
import { listJobs } from './table.ts'

const HOUR_MS = 3_600_000
const EVENING = '2027-03-01T22:00:00.000Z'

/** Moves only when told. */
function newClock(at = EVENING) {
  let time = new Date(at)
  return {
    now: () => time,
    moveTo(at: string) {
      time = new Date(at)
    },
    async passHours(hours: number, perform: () => Promise<void>) {
      for (let hour = 0; hour < hours; hour += 1) {
        time = new Date(time.getTime() + HOUR_MS)
        await perform()
      }
    },
  }
}

const startJobs: typeof start = async (...given) => {
  const server = await start(...given)
  atEnd(server.stop)
  return server
}

const newSharedDsn = () => newDsn({ shared: true, empty: true })

testOnEach('two servers on one database run each due time once', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const runs: string[] = []
  const run = () => void runs.push(clock.now().toISOString())
  const jobs = { hourly: { every: '1h', run } }
  const servers = [await startJobs(dsn, jobs, clock.now), await startJobs(dsn, jobs, clock.now)]
  await until(async () => (await servers[0]?.rowOf('hourly')) !== undefined)
  await clock.passHours(5, async () => {
    const before = runs.length
    await until(async () => runs.length > before && (await servers[0]?.rowOf('hourly'))?.claimed_by === null)
    // Time for the other server to see it.
    await delay(50)
  })
  assert.deepEqual(
    runs,
    ['2027-03-01T23', '2027-03-02T00', '2027-03-02T01', '2027-03-02T02', '2027-03-02T03'].map(
      (hour) => `${hour}:00:00.000Z`,
    ),
  )
})

testOnEach('another server repeats the run of a killed process once its lease has expired', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const runs: string[] = []
  const jobs = { nightly: { at: '02:00', run: () => void runs.push(clock.now().toISOString()) } }
  const server = await startJobs(dsn, jobs, clock.now)
  await until(async () => (await server.rowOf('nightly')) !== undefined)
  const script = join(import.meta.dirname, '../../test/hanging-job.ts')
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    script,
    dsn,
    '2027-03-02T02:00:10Z',
  ])
  atEnd(() => child.kill('SIGKILL'))
  child.stderr.pipe(process.stderr, { end: false })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  clock.moveTo('2027-03-02T02:00:30Z')
  await delay(50)
  assert.deepEqual(runs, [])
  clock.moveTo('2027-03-02T02:01:11Z')
  await until(() => runs.length > 0)
  await until(async () => (await server.rowOf('nightly'))?.due_at === '2027-03-03T02:00:00.000Z')
  assert.deepEqual(runs, ['2027-03-02T02:01:11.000Z'])
})

testOnEach('a server keeps a run that takes longer than its lease', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  let runs = 0
  const run = () => {
    runs += 1
    return promise
  }
  const real = { now: () => new Date(clock.now().getTime() + performance.now()) }
  const jobs = { nightly: { at: '02:00', run } }
  const pace = { lease_ms: 1000 }
  const servers = [await startJobs(dsn, jobs, real.now, pace), await startJobs(dsn, jobs, real.now, pace)]
  await until(async () => (await servers[0]?.rowOf('nightly')) !== undefined)
  clock.moveTo('2027-03-02T02:00:00Z')
  await until(() => runs > 0)
  await delay(2500)
  assert.equal(runs, 1)
  finish()
  await until(async () => (await servers[0]?.rowOf('nightly'))?.succeeded_at !== null)
})

testOnEach('makes up one of the runs that were missed', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const runs: string[] = []
  const run = (name: string) => () => void runs.push(name)
  const jobs = {
    nightly: { at: '02:00', run: run('nightly') },
    quarterly: { every: '15m', run: run('quarterly') },
  }
  const first = await startJobs(dsn, jobs, clock.now)
  await until(async () => (await first.rowOf('quarterly')) !== undefined)
  await first.stop()
  clock.moveTo('2027-03-04T12:01:00Z')
  const second = await startJobs(dsn, jobs, clock.now)
  await until(() => runs.length >= 2)
  await until(async () => (await second.rowOf('nightly'))?.due_at === '2027-03-05T02:00:00.000Z')
  await until(async () => (await second.rowOf('quarterly'))?.due_at === '2027-03-04T12:15:00.000Z')
  assert.deepEqual(runs.sort(), ['nightly', 'quarterly'])
})

testOnEach('logs a failure once, and runs the job again at its next time', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  let runs = 0
  const run = () => {
    runs += 1
    if (runs === 1) throw new Error('the archive is full')
  }
  const server = await startJobs(dsn, { nightly: { at: '02:00', run } }, clock.now)
  await until(async () => (await server.rowOf('nightly')) !== undefined)
  clock.moveTo('2027-03-02T02:00:00Z')
  await until(async () => (await server.rowOf('nightly'))?.error === 'the archive is full')
  const failures = server.log.lines.filter(({ level }) => level === 'error')
  assert.equal(failures.length, 1)
  assert.equal(failures[0]?.message, 'job failed')
  assert.match(JSON.stringify(failures[0]?.fields), /"job":"nightly"/)
  clock.moveTo('2027-03-03T02:00:00Z')
  await until(async () => (await server.rowOf('nightly'))?.succeeded_at !== null)
  const metrics = await server.expose()
  assert.match(metrics, /^job_duration_seconds_count\{name="nightly",result="failed"\} 1$/m)
  assert.match(metrics, /^job_duration_seconds_count\{name="nightly",result="succeeded"\} 1$/m)
  assert.match(metrics, /^job_interval_seconds\{name="nightly"\} 86400$/m)
  const success = Date.parse('2027-03-03T02:00:00Z') / 1000
  await until(async () =>
    (await server.expose()).includes(`job_last_success_timestamp_seconds{name="nightly"} ${success}\n`),
  )
})

testOnEach('a stop aborts the run, and the next start repeats it', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  let runs = 0
  const run = async ({ signal }: { readonly signal: AbortSignal }) => {
    runs += 1
    if (runs === 1) await delay(600_000, undefined, { signal })
  }
  const jobs = { nightly: { at: '02:00', run } }
  const first = await startJobs(dsn, jobs, clock.now)
  await until(async () => (await first.rowOf('nightly')) !== undefined)
  clock.moveTo('2027-03-02T02:00:00Z')
  await until(() => runs === 1)
  await first.stop()
  assert.ok(first.log.lines.every(({ level }) => level !== 'error'))
  const second = await startJobs(dsn, jobs, clock.now)
  await until(async () => (await second.rowOf('nightly'))?.succeeded_at !== null)
  assert.equal(runs, 2)
})

testOnEach('a clock that was days ahead does not delay the next run', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const server = await startJobs(dsn, { nightly: { at: '02:00', run() {} } }, clock.now)
  await until(async () => (await server.rowOf('nightly')) !== undefined)
  clock.moveTo('2027-03-16T22:00:00Z')
  await until(async () => (await server.rowOf('nightly'))?.due_at === '2027-03-17T02:00:00.000Z')
  clock.moveTo(EVENING)
  await until(async () => (await server.rowOf('nightly'))?.due_at === '2027-03-02T02:00:00.000Z')
})

testOnEach('a new schedule replaces the next run', async () => {
  const [dsn, clock] = [await newSharedDsn(), newClock()]
  const run = () => {}
  const first = await startJobs(dsn, { nightly: { at: '02:00', run } }, clock.now)
  await until(async () => (await first.rowOf('nightly'))?.due_at === '2027-03-02T02:00:00.000Z')
  await first.stop()
  const second = await startJobs(dsn, { nightly: { at: '03:30', run } }, clock.now)
  await until(async () => (await second.rowOf('nightly'))?.due_at === '2027-03-02T03:30:00.000Z')
})

for (const [what, zone, at, after, next] of [
  ['UTC without a zone', undefined, '02:00', '2027-07-01T12:00:00Z', '2027-07-02T02:00:00Z'],
  ['a zone in summer', 'Europe/Berlin', '02:00', '2027-07-01T12:00:00Z', '2027-07-02T00:00:00Z'],
  [
    'the next time for one that does not exist',
    'Europe/Berlin',
    '02:30',
    '2027-03-27T12:00:00Z',
    '2027-03-28T01:00:00Z',
  ],
  ['the day after that', 'Europe/Berlin', '02:30', '2027-03-28T01:00:00Z', '2027-03-29T00:30:00Z'],
  ['the first of a doubled time', 'Europe/Berlin', '02:30', '2027-10-30T12:00:00Z', '2027-10-31T00:30:00Z'],
  ['not the second one', 'Europe/Berlin', '02:30', '2027-10-31T00:30:00Z', '2027-11-01T01:30:00Z'],
  [
    'a midnight that does not exist',
    'America/Sao_Paulo',
    '00:00',
    '2018-11-03T12:00:00Z',
    '2018-11-04T03:00:00Z',
  ],
] as const)
  test(`the next run is at ${what}`, () => {
    const job = { at, ...(zone && { zone }), run() {} }
    assert.equal(nextTime(job, new Date(after)).toISOString(), new Date(next).toISOString())
  })

test('intervals count from midnight UTC', () => {
  const job = { every: '15m', run() {} }
  assert.equal(nextTime(job, new Date('2027-07-01T12:15:00Z')).toISOString(), '2027-07-01T12:30:00.000Z')
})

const withJob: Omit<Product, 'config'> = {
  ...readlist,
  jobs: {
    nightly: {
      at: '02:00',
      zone: 'Europe/Berlin',
      async run({ db, log }) {
        const links = await listLinks(db)
        log.info({ links: links.length }, 'links counted')
      },
    },
  },
}

test('a product runs a job by schedule', async () => {
  assertRecipe('Run a job by schedule', import.meta.filename)
  const clock = newClock('2027-07-01T23:59:59Z')
  await using product = await startTestProduct({ SMTP_URL: 'off' }, {}, clock.now, withJob)
  await until(async () => (await listJobs(product.identity.db)).size > 0)
  clock.moveTo('2027-07-02T00:00:00Z')
  await until(() => product.log.lines.some(({ message }) => message === 'job succeeded'))
  const counted = product.log.lines.find(({ message }) => message === 'links counted')
  assert.deepEqual(counted?.fields, { job: 'nightly', links: 0 })
})

const run = () => {}

for (const [jobs, problem] of [
  [
    { nightly: { at: '24:00', run } },
    /^jobs\.nightly in app\/server\.ts has at: "24:00"\. Use a time of the day/,
  ],
  [{ nightly: { at: '2:00', run } }, /has at: "2:00"\. Use a time of the day/],
  [{ nightly: { every: '0m', run } }, /has every: "0m"\. Use an interval from 1s to 24h/],
  [{ nightly: { every: '25h', run } }, /has every: "25h"\. Use an interval/],
  [{ nightly: { every: '1d', run } }, /has every: "1d"\. Use an interval/],
  [{ nightly: { at: '02:00', every: '1h', run } }, /needs either at or every\. Add one/],
  [{ nightly: { run } }, /needs either at or every\. Add one/],
  [
    { nightly: { at: '02:00', zone: 'Europe/Bonn', run } },
    /has the unknown zone "Europe\/Bonn"\. Use a name/,
  ],
  [{ nightly: { at: '02:00', zone: '+02:00', run } }, /has the unknown zone "\+02:00"\. Use a name/],
  [{ nightly: { every: '1h', zone: 'Europe/Berlin', run } }, /has a zone without at\. Remove zone/],
  [{ nightly: { at: '02:00' } }, /has no function run\. Add one/],
  [{ 'at night': { at: '02:00', run } }, /has the name "at night"\. Use letters/],
] as const)
  test(`a start refuses the jobs ${JSON.stringify(jobs)}`, () => {
    const product = { ...ownProduct, jobs } as unknown as Product
    assert.throws(() => readSettings({}, product), { name: 'StartError', message: problem })
  })

test('a start refuses jobs without a database', () => {
  const { migrations, jobs } = withJob
  const settings = { IDENTITY_URL: 'http://127.0.0.1:9' }
  assert.throws(() => readSettings(settings, { ...ownProduct, jobs }), {
    name: 'StartError',
    message: /^jobs in app\/server\.ts need a database, .* Add migrations to app\/server\.ts, or remove/,
  })
  readSettings(settings, { ...ownProduct, jobs, migrations })
})
