import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../../../src/storage/database.ts'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, openTestDatabase, test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'
import { until, untilServed } from '../../kit/until.ts'

const MAX_DELAY_MS = 30
const CONFIG = { serve: { public: { max_delay: `${MAX_DELAY_MS}ms` } } }
const TURN_MS = 120
const NEW_WORK = [
  '/sessions/whoami',
  '/sessions',
  ...['login', 'registration', 'recovery', 'verification', 'settings'].flatMap((kind) => [
    `/self-service/${kind}/browser`,
    `/self-service/${kind}/api`,
  ]),
]

testOn(
  'SQLite',
  'FLT-21 lasting load rejects new work with 503, but serves open forms and probes',
  async () => {
    const identity = await createTestIdentity(CONFIG)
    await identity.user(ADA)
    const app = identity.app()
    // May already be under load.
    const form = await untilServed(() => app.open('login'))
    const browser = identity.browser()
    const values = { method: 'password', identifier: ADA, password: PASSWORD }
    await browser.submit(await untilServed(() => browser.open('login')), values)
    const logout = await browser.get('/self-service/logout/browser')
    await underLoad(async (turns) => {
      const before = turns()
      for (const [path, refused] of await each(NEW_WORK)) {
        assert.equal(refused.status, 503, path)
        assert.equal(refused.headers.get('retry-after'), '1')
        assert.equal((refused.body as unknown as { error: { code: number } }).error.code, 503)
      }
      assert.ok(turns() - before < 5, 'nothing waits before it is refused')
      const page = await browser.navigate('/self-service/login/browser')
      assert.equal(page.status, 503, 'a page is told in place: the error page would be one more request')
      const probes = ['/health/alive', '/health/ready', `/self-service/login/flows?id=${form.body.id}`]
      for (const [path, { status }] of await each(probes)) assert.equal(status, 200, path)
      const ended = await browser.get(`/self-service/logout?token=${logout.body.logout_token}`)
      assert.equal(ended.status, 204)
      assert.equal((await app.submit(form, values)).status, 200)
    })
    assert.equal((await untilServed(() => app.open('login'))).status, 200)

    async function each(paths: readonly string[]) {
      const answers = paths.map(async (path) => [path, await app.send('GET', path, undefined, {})] as const)
      return await Promise.all(answers)
    }
  },
)

test('FLT-21 a slow database refuses new forms but answers probes', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ ...CONFIG, dsn })
  const db = await openTestDatabase(dsn)
  await db.transaction().execute(async (held) => {
    // On PostgreSQL its lock makes requests occupy every connection.
    await held.insertInto('limits').values({ key: 'held', until: 0, next_at: 0 }).execute()
    if (isPostgres(held)) await sql`lock table limits`.execute(held)
    for (let n = 0; n < 30; n += 1) void identity.app().open('login')
    // The refusal must not wait for the lock.
    await untilRefused(identity, '/self-service/registration/api')
    assert.equal((await identity.app().send('GET', '/health/alive', undefined, {})).status, 200)
  })
})

test('FLT-21 a full password queue refuses sign-ins except on known devices', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ serve: { public: { max_delay: '1m' } }, dsn })
  await identity.user(ADA)
  const db = await openTestDatabase(dsn)
  const known = identity.browser()
  await known.signIn(ADA)
  known.cookies.delete('ory_kratos_session')
  const apps = Array.from({ length: 100 }, () => identity.app())
  const forms = await Promise.all(apps.map((app) => app.open('login')))
  const { guesses, opening } = await db.transaction().execute(async (held) => {
    await held.insertInto('limits').values({ key: 'held', until: 0, next_at: 0 }).execute()
    if (isPostgres(held)) await sql`lock table limits`.execute(held)
    const guesses = apps.map((app, n) =>
      app.submit(forms[n] as FlowAnswer, {
        method: 'password',
        identifier: `user-${n}@example.com`,
        password: 'a wrong guess',
      }),
    )
    for (const path of ['/self-service/login/api', '/self-service/registration/browser'])
      await untilRefused(identity, path)
    return { guesses, opening: [known.open('login'), identity.browser().open('recovery')] }
  })
  for (const form of opening) assert.equal((await form).status, 200)
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.deepEqual(
    statuses.filter((status) => status !== 400 && status !== 503),
    [],
  )
  assert.equal((await identity.app().open('login')).status, 200)
})

async function untilRefused(identity: TestIdentity, path: string): Promise<void> {
  const refusals: Answer[] = []
  await until(() => {
    const sent = identity.app().send('GET', path, undefined, {})
    void sent.then((answer) => answer.status === 503 && refusals.push(answer))
    return refusals.length > 0
  })
  assert.equal(refusals[0]?.headers.get('retry-after'), '1')
  assert.match(JSON.stringify(refusals[0]?.body), /The service is busy/)
}

async function underLoad(work: (turns: () => number) => Promise<void>): Promise<void> {
  let count = 0
  const turn = async () => {
    for (const end = performance.now() + TURN_MS; performance.now() < end; );
    count += 1
    await delay(1)
  }
  while (count < 4) await turn()
  let isOver = false
  const working = work(() => count).finally(() => {
    isOver = true
  })
  while (!isOver) await turn()
  await working
}

test('SEC-46 slow bodies occupy no slot in the hash queue', async () => {
  const identity = await createTestIdentity({ serve: { public: { trusted_proxies: 1 } } })
  const ended: (() => void)[] = []
  const slow = Array.from({ length: 4000 }, (_, n) => {
    const body = new ReadableStream({ start: (stream) => void ended.push(() => stream.close()) })
    const client = Math.floor(n / 4)
    const headers = {
      'content-type': 'application/json',
      'content-length': '100',
      'x-forwarded-for': `203.0.${client % 250}.${Math.floor(client / 250)}`,
    }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const url = 'http://127.0.0.1:4433/self-service/login?flow=x'
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
    return identity.publicApp.request(url, init, env as never)
  })
  await delay(1)
  assert.equal((await identity.app().open('login')).status, 200)
  for (const end of ended) end()
  await Promise.all(slow)
})
