import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import { childrenOf } from '@ostiary/identity/testing/servers/children'
import { assertStatuses, assertWhole, fault, figuresOf, type Report } from './fault.ts'
import { ask, beginVisits } from './load.ts'
import { createUsers, newPlace } from './product.ts'

const ROUNDS = runs(1, 4)
/** More than six once stopped the server. */
const HANGS = runs(1, 8)
const CLIENTS = 8
const ACCOUNTS = 16

fault('FLT-01 kill -9 of one worker under load loses no confirmed account, on SQLite', (report) =>
  replaceWorkers('SIGKILL', report),
)

fault('FLT-29 a hanging worker, even one that locks SQLite, is killed and replaced', (report) =>
  replaceWorkers('SIGSTOP', report),
)

fault('FLT-31 workers that hang repeatedly never stop the server', async () => {
  await using place = await newPlace({ WORKERS: '2', LOG_LEVEL: 'info' })
  const replica = await place.start()
  const replaced = () => replica.output().match(/worker replaced/g)?.length ?? 0
  await until(() => replica.output().includes('"listening"'))
  for (let round = 1; round <= HANGS; round += 1) {
    for (const worker of childrenOf(replica.pid)) process.kill(worker, 'SIGSTOP')
    await until(() => replaced() === 2 * round)
  }
  const earlier = childrenOf(replica.pid)
  const started = () =>
    childrenOf(replica.pid).filter((worker) => !earlier.includes(worker) && isExecuted(worker))
  process.kill(earlier[0]!, 'SIGKILL')
  await until(() => started().length === 1)
  process.kill(started()[0]!, 'SIGSTOP')
  await until(() => replaced() === 2 * HANGS + 1)
  assert.match(replica.output(), /worker failed to start; retrying/)
  assert.equal((await ask(replica.port, '/.ory/self-service/login/api')).status, 200)
  await replica.stop()
  assert.equal(await replica.exit, 0)
})

/** A child stopped between fork and exec would block its parent, which waits for the exec. */
function isExecuted(worker: number): boolean {
  return readFileSync(`/proc/${worker}/environ`, 'utf8').includes('NODE_UNIQUE_ID=')
}

async function replaceWorkers(signal: NodeJS.Signals, report: Report): Promise<void> {
  await using place = await newPlace({ WORKERS: '2', LOG_LEVEL: 'info' })
  const replica = await place.start()
  const { port, pid } = replica
  const load = beginVisits(port, CLIENTS, await createUsers(replica, ACCOUNTS))
  const { confirmed } = load
  const more = async () => {
    const enough = confirmed.length + 5
    await until(() => confirmed.length >= enough && childrenOf(pid).length === 2)
  }
  const replaced = () => replica.output().match(/worker replaced/g)?.length ?? 0
  for (let round = 0; round < ROUNDS; round += 1) {
    await more()
    process.kill(childrenOf(pid)[round % 2]!, signal)
    await until(() => replaced() > round)
  }
  await more()
  const answers = await load.stop()
  await replica.stop()
  assert.equal(await replica.exit, 0)
  report(figuresOf(answers))
  await assertWhole(`sqlite://${place.file}`, confirmed, report)
  assertStatuses(answers, 200, 0, 503)
}
