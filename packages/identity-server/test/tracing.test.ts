import assert from 'node:assert/strict'
import { ATTRIBUTES } from '@ostiary/identity/serving'
import { PASSWORD } from '@ostiary/identity/testing'
import { testOn, testOnEach } from '@ostiary/identity/testing/kit/databases'
import { merge, VERIFIED_ONLY } from '@ostiary/identity/testing/kit/kit'
import { until } from '@ostiary/identity/testing/kit/until'
import type { Collector, ReceivedSpan } from '@ostiary/identity/testing/servers/collector'
import { startHookReceiver } from '@ostiary/identity/testing/servers/hook-receiver'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import {
  callbackOf,
  GRACE,
  providerEntry,
  signInWith,
  withProviders,
} from '@ostiary/identity/testing/servers/oidc-kit'
import { startOpenIdProvider } from '@ostiary/identity/testing/servers/openid-provider'
import { tracedIdentity } from './traced-kit.ts'

const ADA = 'ada@example.com'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SAMPLED = `00-${TRACE}-b7ad6b7169203331-01`

testOnEach('a sign-in is one span with hash and statements below', async () => {
  const { identity, collector, browser, flush } = await tracedIdentity()
  await identity.user(ADA)
  assert.equal((await browser().signIn(ADA)).status, 200)
  assert.equal((await browser().signIn(ADA, 'wrong')).status, 400)
  await flush()
  const [done, refused] = collector.spans.filter(({ name }) => name === 'POST /self-service/login')
  assert.ok(done && refused)
  assert.equal(done.kind, 'server')
  assert.deepEqual(
    [done, refused].map(({ attributes }) => attributes['identity.flow.outcome']),
    ['finished', 'refused'],
  )
  const { 'client.address': client, 'identity.request_id': request_id, ...known } = done.attributes
  assert.equal(client, '127.0.0.1')
  assert.match(String(request_id), /^[\da-f-]{36}$/)
  assert.deepEqual(known, {
    'http.request.method': 'POST',
    'url.path': '/self-service/login',
    'server.address': 'identity.test',
    'identity.port': 'public',
    'http.route': '/self-service/login',
    'http.response.status_code': 200,
    'identity.flow.kind': 'login',
    'identity.flow.type': 'browser',
    'identity.flow.method': 'password',
    'identity.flow.outcome': 'finished',
  })
  const below = collector.spans.filter(({ trace_id }) => trace_id === done.trace_id)
  assert.ok(below.some(({ name }) => name === 'hash'))
  const flow = below.find(({ name }) => name === 'select flows')
  assert.ok(flow, below.map(({ name }) => name).join())
  assert.equal(
    flow.attributes['db.system.name'],
    identity.config.dsn.startsWith('postgres') ? 'postgresql' : 'sqlite',
  )
  for (const span of below) {
    assert.equal(span === done ? undefined : span.parent_id, span === done ? undefined : done.span_id)
    assert.ok(span.milliseconds >= 0, span.name)
  }
  assert.ok(flow.milliseconds <= done.milliseconds + 1)
})

testOn('SQLite', 'the email of a request belongs to its trace only', async (t) => {
  const mail = await startMailServer()
  t.after(() => mail.stop())
  const smtp = { connection_uri: mail.uri, from_address: 'no-reply@app.example' }
  const { identity, collector, app, flush } = await tracedIdentity(
    merge(VERIFIED_ONLY, { courier: { worker: { pull_wait: '5ms' }, smtp } }),
  )
  identity.start()
  await app().register(ADA)
  await app().register('grace@example.com')
  await until(async () => (await identity.listMails(2)).every(({ status }) => status === 'sent'))
  await flush()
  const registrations = collector.spans.filter(({ name }) => name === 'POST /self-service/registration')
  const sent = collector.spans.filter(({ name }) => name === 'send email')
  assert.deepEqual(
    sent.map(({ parent_id }) => parent_id).sort(),
    registrations.map(({ span_id }) => span_id).sort(),
  )
  assert.deepEqual(sent[0]?.attributes, {
    'identity.message.channel': 'email',
    'identity.message.template': 'verification_code_valid',
    'identity.message.result': 'sent',
  })
  assert.deepEqual(
    collector.spans.filter(({ name }) => name === 'update messages'),
    [],
  )
  assert.ok(collector.spans.some(({ name }) => name === 'insert messages'))
})

testOn('SQLite', 'sends the trace and request id to web hooks but not to providers', async () => {
  const receiver = await startHookReceiver()
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const called: Headers[] = []
  const hook = {
    hook: 'web_hook',
    config: { url: `${receiver.url}/called`, method: 'POST', body: () => ({}) },
  }
  const after = { oidc: { hooks: [hook, { hook: 'session' }] } }
  const flows = { registration: { after } }
  const { collector, browser, flush } = await tracedIdentity(
    withProviders([providerEntry('acme', { issuer_url: acme.issuer })], { flows }),
    {
      fetch: (input, init) => {
        if (String(input).startsWith(receiver.url)) return fetch(input, init)
        called.push(new Headers(init?.headers))
        return acme.fetch(input, init)
      },
    },
  )
  await signInWith(browser(), acme, GRACE)
  await flush()
  const request = collector.spans.find(({ name }) =>
    name.startsWith('GET /self-service/methods/oidc/callback'),
  )
  assert.ok(request)
  assert.equal(request.attributes['identity.flow.kind'], 'registration')
  assert.equal(request.attributes['identity.flow.method'], 'oidc')
  const below = collector.spans.filter(({ trace_id }) => trace_id === request.trace_id)
  const provider = below.find(({ name }) => name === 'POST provider')
  assert.equal(provider?.attributes['identity.call.provider'], 'acme')
  assert.equal(provider?.attributes['http.response.status_code'], 200)
  const hooked = below.find(({ name }) => name === 'POST web_hook')
  const headers = receiver.calls[0]!.headers
  assert.equal(headers.traceparent, `00-${request.trace_id}-${hooked?.span_id}-01`)
  assert.equal(headers['x-request-id'], request.attributes['identity.request_id'])
  assert.ok(called.length > 0)
  for (const sent of called)
    assert.deepEqual([sent.get('traceparent'), sent.get('x-request-id')], [null, null])
})

testOn('SQLite', 'every attribute is in the catalogue and none contains a secret', async () => {
  const { identity, collector, base, browser, flush } = await tracedIdentity()
  await identity.user(ADA)
  const one = browser()
  const { session } = (await one.signIn(ADA)).body
  const cookie = [...one.cookies.values()]
  const other = browser()
  await other.submit(await other.open('recovery'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  await fetch(`${base}/self-service/recovery?flow=${session.id}&code=${code}&token=a-secret-token`, {
    redirect: 'manual',
    headers: { authorization: 'Bearer a-secret-bearer', 'user-agent': 'a-secret-agent' },
  })
  await flush()
  assert.deepEqual(
    [...namesOf(collector)].filter((name) => !(name in ATTRIBUTES)),
    [],
  )
  const received = collector.received()
  for (const secret of [ADA, PASSWORD, code, 'a-secret', ...cookie])
    assert.ok(!received.includes(secret), secret)
})

testOn('SQLite', 'an untrusted client cannot choose the trace or whether it is recorded', async () => {
  const { collector, base, flush } = await tracedIdentity()
  const unsampled = `00-${TRACE}-b7ad6b7169203331-00`
  for (const traceparent of [SAMPLED, unsampled])
    await fetch(`${base}/sessions/whoami`, { headers: { traceparent, 'x-request-id': 'mine' } })
  await flush()
  const spans = collector.spans.filter(({ kind }) => kind === 'server')
  assert.equal(spans.length, 2)
  for (const { trace_id, parent_id, attributes } of spans) {
    assert.notEqual(trace_id, TRACE)
    assert.equal(parent_id, undefined)
    assert.notEqual(attributes['identity.request_id'], 'mine')
  }
})

testOn('SQLite', 'a client cannot force its requests to be sampled', async () => {
  const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
  const { collector, base, flush } = await tracedIdentity({}, { env })
  await fetch(`${base}/sessions/whoami`, { headers: { traceparent: SAMPLED } })
  await flush()
  assert.equal(collector.spans.length, 0)
})

testOn('SQLite', 'continues the trace and request id of a trusted proxy, also in the log', async () => {
  const { collector, base, lines, app, identity, flush } = await tracedIdentity({}, { proxies: 1 })
  await identity.user(ADA)
  const headers = { traceparent: SAMPLED, 'x-request-id': 'proxy-7' }
  const response = await fetch(`${base}/sessions/whoami`, { headers })
  assert.equal(response.headers.get('x-request-id'), 'proxy-7')
  await app().signIn(ADA, PASSWORD, headers)
  await fetch(`${base}/sessions/whoami`, { headers: { traceparent: `00-${TRACE}-b7ad6b7169203331-00` } })
  await flush()
  const spans = collector.spans.filter(({ parent_id }) => parent_id === 'b7ad6b7169203331')
  assert.deepEqual(
    spans.map(({ name, trace_id, attributes }) => [name, trace_id, attributes['identity.request_id']]),
    [
      ['GET /sessions/whoami', TRACE, 'proxy-7'],
      ['POST /self-service/login', TRACE, 'proxy-7'],
    ],
  )
  const line = lines.find(({ event, trace_id }) => event === 'sign_in' && trace_id === TRACE)
  assert.ok(line, JSON.stringify(lines))
  assert.deepEqual([line.request_id, line.span_id], ['proxy-7', spans[1]?.span_id])
})

const IDS: readonly [string, string][] = [
  ['spaces', 'two words'],
  ['markup', '<script>alert(1)</script>'],
  ['a quote', '"}'],
  ['14 KB', 'a'.repeat(14_000)],
  ['nothing', ''],
  ['bytes beyond ASCII', 'caf\u00e9'],
]
for (const [what, given] of IDS) {
  testOn('SQLite', `a request id with ${what} is replaced, even from a trusted proxy`, async () => {
    const { base } = await tracedIdentity({}, { proxies: 1 })
    const response = await fetch(`${base}/sessions/whoami`, { headers: { 'x-request-id': given } })
    assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/)
  })
}

const PARENTS: readonly [string, string][] = [
  ['of 14 KB', `${SAMPLED}-${'a'.repeat(14_000)}`],
  ['with a trace of zeros', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['with capitals', SAMPLED.toUpperCase()],
  ['sent twice', `${SAMPLED}, ${SAMPLED}`],
]
for (const [what, traceparent] of PARENTS) {
  testOn('SQLite', `a traceparent ${what} begins a new trace`, async () => {
    const { collector, base, flush } = await tracedIdentity({}, { proxies: 1 })
    const response = await fetch(`${base}/sessions/whoami`, {
      headers: { traceparent, tracestate: `a=${'b'.repeat(2_000)}` },
    })
    assert.equal(response.status, 401)
    await flush()
    const [span] = collector.spans.filter(({ kind }) => kind === 'server')
    assert.notEqual(span?.trace_id, TRACE)
    assert.ok(collector.received().length < 5_000)
  })
}

testOn('SQLite', 'continues a traceparent of a future version and drops its extra fields', async () => {
  const { collector, base, flush } = await tracedIdentity({}, { proxies: 1 })
  const traceparent = `cc-${SAMPLED.slice(3)}-${'a'.repeat(14_000)}`
  await fetch(`${base}/sessions/whoami`, { headers: { traceparent } })
  await flush()
  assert.equal(collector.spans.find(({ kind }) => kind === 'server')?.trace_id, TRACE)
  assert.ok(collector.received().length < 5_000)
})

testOn('SQLite', 'does not trace probes or record client-chosen paths', async () => {
  const { collector, base, flush } = await tracedIdentity()
  for (const path of ['/health/alive', '/health/ready', `/${'x'.repeat(5_000)}`]) await fetch(base + path)
  await flush()
  const [span, ...more] = collector.spans.filter(({ kind }) => kind === 'server')
  assert.equal(more.length, 0)
  assert.equal(span?.name, 'GET /*')
  assert.equal(String(span?.attributes['url.path']).length, 256)
})

testOn(
  'SQLite',
  'the settings of OpenTelemetry decide name, attributes and headers of an export',
  async () => {
    const { collector, base, flush } = await tracedIdentity(
      {},
      {
        env: {
          OTEL_SERVICE_NAME: 'sign-in',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,team=a%20b',
          OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc, X-Scope=1',
        },
      },
    )
    await fetch(`${base}/sessions/whoami`)
    await flush()
    const [{ path, headers } = { path: '', headers: {} }] = collector.exports
    assert.deepEqual([path, headers.authorization, headers['x-scope']], ['/v1/traces', 'Bearer abc', '1'])
    const { resource } = collector.spans[0] as ReceivedSpan
    assert.deepEqual(
      [resource['service.name'], resource['deployment.environment.name'], resource.team],
      ['sign-in', 'staging', 'a b'],
    )
  },
)

function namesOf({ spans }: Collector): Set<string> {
  return new Set(spans.flatMap(({ attributes }) => Object.keys(attributes)))
}
