import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import type { PostgresServer } from '@ostiary/identity/testing/servers/postgres-server'
import { STREAMS, startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import {
  assertStatuses,
  assertWhole,
  atMost,
  fault,
  figuresOf,
  isGood,
  NO_POSTGRES,
  need,
  type Report,
  recoveryAfter,
} from './fault.ts'
import { ask, beginVisits, type Load } from './load.ts'
import { newPlace, processFigures, type Replica } from './product.ts'

const CLIENTS = 8
/** Milliseconds; docs/operations.md has the measured ones. */
const LONGEST_REFUSAL = atMost(6_000)
const LONGEST_RECOVERY = atMost(15_000)

fault('FLT-03 requests get 503 in time while PostgreSQL hangs, and succeed afterwards', (report) =>
  meet(report, async (server, { port }, { answers }) => {
    // The first process starts the others.
    signal(server.processes(), 'SIGSTOP')
    const processes = server.processes()
    signal(processes, 'SIGSTOP')
    try {
      await delay(runs(0, 10_000))
      await until(() => answers.some(({ status }) => status === 503))
      assert.equal((await ask(port, '/health/alive')).status, 200)
      // A probe reports a write after two seconds.
      await until(async () => (await ask(port, '/health/ready')).status === 503)
      assert.equal((await ask(port, '/login')).status, 200)
    } finally {
      signal(processes, 'SIGCONT')
    }
  }),
)

fault('FLT-03 a crash of PostgreSQL loses nothing confirmed and stops no replica', (report) =>
  meet(report, async (server, _replica, { answers }) => {
    for (let round = 0; round < runs(1, 5); round += 1) {
      // PostgreSQL restarts all when one is killed.
      const [, ...workers] = server.processes()
      signal(workers.slice(-1), 'SIGKILL')
      const killed = performance.now()
      // It gives up if a recovering process is killed.
      await until(() => answers.some((answer) => isGood(answer) && answer.at - answer.ms > killed))
    }
  }),
)

fault('FLT-03 a replica follows a failover to the standby without a restart', async (report) => {
  await using primary = need(
    await startPostgres({
      durable: true,
      settings: [...STREAMS, 'synchronous_standby_names=*'],
    }),
    NO_POSTGRES,
  )
  await using standby = need(
    await startPostgres({ durable: true, settings: STREAMS, standbyOf: primary.url }),
    NO_POSTGRES,
  )
  const both = new URL(primary.url)
  const DATABASE_URL = primary.url.replace(both.host, `${both.host},${new URL(standby.url).host}`)
  await using place = await newPlace({ DATABASE_URL })
  const replica = await place.start()
  const load = beginVisits(replica.port, CLIENTS)
  const { answers, confirmed } = load
  await until(() => confirmed.length >= 5)
  signal(primary.processes(), 'SIGKILL')
  standby.promote()
  const promoted = performance.now()
  await until(() => Number.isFinite(recoveryAfter(promoted, answers)))
  const before = confirmed.length
  await until(() => confirmed.length >= before + 5)
  report({ ...figuresOf(await load.stop()), recoveryMs: recoveryAfter(promoted, answers) })
  assertStatuses(answers, 200, 503)
  await replica.stop()
  await assertWhole(standby.url, confirmed, report)
})

/** Everything confirmed must exist afterwards. */
async function meet(
  report: Report,
  fail: (server: PostgresServer, replica: Replica, load: Load) => Promise<void>,
): Promise<void> {
  await using server = need(await startPostgres({ durable: true }), NO_POSTGRES)
  await using place = await newPlace({ DATABASE_URL: server.url })
  const replica = await place.start()
  const load = beginVisits(replica.port, CLIENTS)
  const { confirmed } = load
  await until(() => confirmed.length >= 5)
  await fail(server, replica, load)
  const over = performance.now()
  const recovered = () => recoveryAfter(over, load.answers)
  await until(() => Number.isFinite(recovered()))
  assert.ok(recovered() < LONGEST_RECOVERY, `a request succeeded after ${recovered()} ms`)
  const answers = await load.stop()
  report({
    ...figuresOf(answers),
    recoveryMs: recovered(),
    ...(await processFigures(replica)),
  })
  const refusals = answers.filter(({ status }) => status !== 200)
  assertStatuses(answers, 200, 503)
  const slowest = Math.max(0, ...refusals.map(({ ms }) => ms))
  assert.ok(slowest < LONGEST_REFUSAL, `refused after ${slowest} ms`)
  await replica.stop()
  await assertWhole(server.url, confirmed, report)
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) process.kill(pid, name)
}
