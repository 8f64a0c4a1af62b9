import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import { type PostgresServer, startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import { assertStatuses, atMost, fault, figuresOf, isGood, NO_POSTGRES, need } from './fault.ts'
import { ask, beginLoad, register, signIn, whoami } from './load.ts'
import {
  createUsers,
  endSessions,
  newPlace,
  type Place,
  processFigures,
  type Replica,
  signedIn,
} from './product.ts'
import { startProxy } from './proxy.ts'

const DRAIN_MS = 5_000
/** An account allows ten passwords at once. Odd, so that every second turn reaches all. */
const ACCOUNTS = 9

fault('FLT-19 no request fails while replicas restart in turn behind the proxy', async (report) => {
  await using server = need(await startPostgres(), NO_POSTGRES)
  await using places = await twoPlaces(server)
  const replicas = await Promise.all(places.all.map((place) => place.start()))
  await using proxy = await startProxy(replicas.map(({ port }) => port))
  const users = await createUsers(replicas[0]!, ACCOUNTS)
  let refused = 0
  const load = beginLoad(4, async (turn, from) => {
    await delay(20)
    for (;;) {
      const status = await (turn % 2 === 0
        ? signIn(proxy.port, users[turn % ACCOUNTS]!, from)
        : register(proxy.port, `user-${turn}@example.com`, from))
      if (status !== 503) return status
      // Too busy to hash; clients retry.
      refused += 1
      await delay(1_100)
    }
  })
  let longest = 0
  for (let turn = 0; turn < runs(2, 10); turn += 1) {
    const which = turn % 2
    const began = performance.now()
    await replicas[which]!.stop()
    longest = Math.max(longest, performance.now() - began - DRAIN_MS)
    assert.equal(await replicas[which]!.exit, 0)
    replicas[which] = await places.all[which]!.start()
    // The proxy must see it before the other one stops.
    await until(() => hasOpenedFlows(replicas[which]!))
  }
  const answers = await load.stop()
  report({
    ...figuresOf(answers),
    lost: answers.filter((answer) => !isGood(answer)).length,
    errors5xx: refused,
    recoveryMs: longest,
  })
  assertStatuses(answers, 200)
  assert.ok(refused <= atMost(answers.length / 100), `${refused} of ${answers.length} requests were refused`)
  assert.ok(longest < atMost(10_000), `it took ${longest} ms to end`)
})

fault('FLT-29 a hanging replica gets no requests and resumes with current data', async (report) => {
  await using server = need(await startPostgres(), NO_POSTGRES)
  await using places = await twoPlaces(server)
  const [first, second] = (await Promise.all(places.all.map((place) => place.start()))) as [Replica, Replica]
  await using proxy = await startProxy([first.port, second.port])
  const token = await signedIn(first)
  assert.equal(await whoami(second.port, token), 200)
  const users = await createUsers(first, ACCOUNTS)
  const other = await signedIn(first)
  const lookedUp = new Set<number>()
  const load = beginLoad(8, async (turn, from) => {
    await delay(50)
    if (turn % 8 === 0) return await signIn(proxy.port, users[turn % ACCOUNTS]!, from)
    const status = await whoami(proxy.port, other, from)
    lookedUp.add(status)
    return status
  })
  const more = async () => {
    const enough = load.answers.length + 100
    await until(() => load.answers.length >= enough)
  }
  await more()
  process.kill(second.pid, 'SIGSTOP')
  const stopped = performance.now()
  await delay(runs(8_000, 20_000))
  await endSessions(first, token)
  process.kill(second.pid, 'SIGCONT')
  assert.equal(await whoami(second.port, token), 401)
  assert.equal(await whoami(first.port, token), 401)
  await more()
  const answers = await load.stop()
  const bad = answers.filter((answer) => !isGood(answer))
  const noticed = Math.max(
    0,
    ...answers.filter(({ ms }) => ms > 3_000).map(({ at, ms }) => at - ms - stopped),
  )
  report({ ...figuresOf(answers), lost: bad.length, recoveryMs: noticed, ...(await processFigures(first)) })
  assert.deepEqual([...lookedUp], [200])
  assert.ok(bad.length <= atMost(answers.length / 100), `${bad.length} of ${answers.length} requests failed`)
  assert.ok(noticed < atMost(5_000), `requests were sent to it ${noticed} ms after it had hung`)
})

async function hasOpenedFlows({ admin_port }: Replica): Promise<boolean> {
  return /^identity_flows_opened_total\{.*\} [1-9]/m.test((await ask(admin_port, '/metrics')).body)
}

async function twoPlaces({ url }: PostgresServer) {
  const shared = {
    DATABASE_URL: url,
    SECRETS: randomBytes(32).toString('base64'),
    DRAIN_MS: `${DRAIN_MS}`,
    TRUSTED_PROXIES: '1',
  }
  const all: Place[] = [await newPlace(shared), await newPlace(shared)]
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const place of all) await place[Symbol.asyncDispose]()
    },
  }
}
