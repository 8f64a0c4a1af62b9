import assert from 'node:assert/strict'
import { METRICS } from '../src/metrics/catalogue.ts'
import { PASSWORD } from '../src/testing/clients.ts'
import { testOn, testOnEach } from './kit/databases.ts'
import { createTestIdentity, merge, type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'
import { until } from './kit/until.ts'
import { startMailServer } from './servers/mail-server.ts'
import { callbackOf, GRACE, providerEntry, signInWith, withProviders } from './servers/oidc-kit.ts'
import { startOpenIdProvider } from './servers/openid-provider.ts'

const ADA = 'ada@example.com'

/** See `packages/server/src/http/metrics.test.ts`. */
const OF_THE_SERVER = ['http_request_duration_seconds']
const OF_FAULTS = [
  'identity_worker_exits_total',
  'identity_hash_refusals_total',
  'identity_hash_queue_waiting',
  'identity_database_failures_total',
  'identity_clock_offset_seconds',
]

testOnEach('every metric follows what it counts', async (t) => {
  const { identity } = await liveService(t)
  const browser = identity.browser()
  assert.equal((await browser.signIn(ADA)).status, 200)
  for (let n = 0; n < 25; n += 1) await identity.browser().signIn(ADA, 'wrong')
  const samples = await scrape(identity)
  const still = Object.keys(METRICS).filter(
    (name) => !OF_THE_SERVER.includes(name) && !OF_FAULTS.includes(name) && !moved(samples, name),
  )
  const onSqlite = identity.config.dsn.startsWith('postgres') ? [] : ['identity_database_connections']
  assert.deepEqual(still, onSqlite)
})

testOn('SQLite', 'counts sign-ins by outcome', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  await identity.browser().signIn(ADA)
  await identity.browser().signIn(ADA, 'wrong')
  await identity.browser().signIn('no-account@example.com', 'wrong')
  const samples = await scrape(identity)
  assert.equal(readingOf(samples, 'identity_sign_ins_total{method="password"}'), 1)
  assert.equal(
    readingOf(samples, 'identity_sign_ins_refused_total{method="password",reason="wrong_credential"}'),
    2,
  )
  assert.equal(readingOf(samples, 'identity_flows_opened_total{kind="login",type="browser"}'), 3)
  assert.equal(readingOf(samples, 'identity_flows_finished_total{kind="login",method="password"}'), 1)
  assert.equal(readingOf(samples, 'identity_sessions_live'), 1)
})

testOn('PostgreSQL', 'the statements of a scrape do not wait for a connection', async () => {
  const samples = await scrape(await createTestIdentity())
  assert.equal(readingOf(samples, 'identity_database_connections{state="waiting"}'), 0)
})

testOn('SQLite', 'two services in one process count separately', async () => {
  const [one, other] = [await createTestIdentity(), await createTestIdentity()]
  await one.browser().open('login')
  assert.equal(readingOf(await scrape(one), 'identity_flows_opened_total{kind="login",type="browser"}'), 1)
  assert.equal(
    readingOf(await scrape(other), 'identity_flows_opened_total{kind="login",type="browser"}'),
    undefined,
  )
})

testOn('SQLite', 'metrics contain no address, id, token or request path', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  const session = (await browser.signIn(ADA)).body.session as { id: string; identity: { id: string } }
  await identity.admin('GET', `/admin/identities/${session.identity.id}`)
  await browser.get('/self-service/login/flows?id=a-made-up-flow')
  const text = await scrapeText(identity)
  for (const secret of [ADA, 'ada', session.id, session.identity.id, 'a-made-up-flow', PASSWORD]) {
    assert.ok(!text.includes(secret), secret)
  }
})

testOn('SQLite', 'serves metrics where a scrape configuration for Ory Kratos expects them', async () => {
  const identity = await createTestIdentity()
  for (const path of ['/metrics', '/metrics/prometheus', '/admin/metrics/prometheus']) {
    const answer = await identity.adminApp.request(`http://127.0.0.1${path}`)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await answer.text()
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
    assert.doesNotMatch(text, /^# TYPE \w+_total gauge$/m)
  }
  assert.equal((await identity.publicApp.request('http://identity.test/metrics')).status, 404)
})

testOn('SQLite', 'with a token, Prometheus may use any host name of the machine', async () => {
  const token = 'a-token-of-the-operator-that-is-long-enough'
  const identity = await createTestIdentity({ serve: { admin: { token } } })
  const headers = { authorization: `Bearer ${token}` }
  const scraped = await identity.adminApp.request('http://my-app:4434/metrics', { headers })
  assert.equal(scraped.status, 200)
  assert.equal((await identity.adminApp.request('http://my-app:4434/metrics')).status, 401)
})

testOn('SQLite', 'a scrape is not logged and reuses the session count', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  await scrape(identity)
  identity.logged.length = 0
  await identity.browser().signIn(ADA)
  const again = await scrape(identity)
  assert.equal(readingOf(again, 'identity_sessions_live'), 0)
  assert.ok(!identity.logged.some((line) => line.includes('metrics')), identity.logged.join('\n'))
  identity.advance(120_000)
  const later = await scrape(identity)
  assert.equal(readingOf(later, 'identity_sessions_live'), 1, 'the first scrape after a pause counts')
})

const REPLIES: Readonly<Record<string, number>> = { refused: 550, later: 451 }

/** With a mail server and a sign-in provider. Ada has an account, Grace signs in with the provider. */
async function liveService(t: { after(end: () => unknown): void }) {
  const mail = await startMailServer({ on_recipient: (to) => REPLIES[to.replace(/@.*/, '')] })
  t.after(() => mail.stop())
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const settings = merge(VERIFIED_ONLY, withProviders([providerEntry('acme', { issuer_url: acme.issuer })]))
  const smtp = { connection_uri: mail.uri, from_address: 'no-reply@app.example' }
  const courier = { worker: { pull_wait: '5ms' }, smtp }
  const identity = await createTestIdentity(merge(settings, { courier }), { fetch: acme.fetch })
  await identity.browser().open('login')
  identity.advance(86_400_000)
  identity.start()
  await identity.user(ADA)
  await signInWith(identity.browser(), acme, GRACE)
  for (const name of ['refused', 'later', 'accepted'])
    await identity.browser().register(`${name}@example.com`)
  await until(() => mail.received.length > 0)
  return { identity }
}

type Samples = ReadonlyMap<string, number>

async function scrapeText(identity: TestIdentity): Promise<string> {
  return await (await identity.adminApp.request('http://127.0.0.1/metrics')).text()
}

async function scrape(identity: TestIdentity): Promise<Samples> {
  const lines = (await scrapeText(identity))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]))
}

function readingOf(samples: Samples, series: string): number | undefined {
  return samples.get(series)
}

function moved(samples: Samples, name: string): boolean {
  const own = [...samples].filter(([series]) => [name, `${name}_count`].includes(series.replace(/\{.*/, '')))
  return own.some(([, value]) => value > 0)
}
