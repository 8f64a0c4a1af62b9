import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { kratos } from '@ostiary/kratos'
import { type Answer, fieldMessageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { until } from '../../kit/until.ts'
import { changed, hooked, refusal } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'

const ADA = 'ada@example.com'

test('a web hook before a form gets its user, but no credentials', async () => {
  const { identity, receiver } = await hooked('login', { before: [{ path: '/before' }] })
  const sending = {
    headers: { 'user-agent': 'a browser', authorization: 'Bearer a-token', 'x-forwarded-for': '1.1.1.1' },
  }
  const flow = await identity
    .browser()
    .get('/self-service/login/browser?return_to=http%3A%2F%2Fapp.test%2Fafter', sending)
  const [call] = receiver.calls
  assert.equal(call?.body.flow.id, flow.body.id)
  assert.deepEqual(call?.body.request_headers, { Accept: ['application/json'], 'User-Agent': ['a browser'] })
  assert.deepEqual([call?.body.request_method, call?.body.identity], ['GET', undefined])
  assert.match(call?.body.request_url, /^http:\/\/identity\.test\/self-service\/login\/browser\?return_to=/)
})

test('a web hook sends its headers and key', async () => {
  const { identity, receiver } = await hooked('login', {
    password: [
      { path: '/key', auth: { type: 'api_key', config: { in: 'header', name: 'X-Key', value: 'k' } } },
      { path: '/cookie', auth: { type: 'api_key', config: { in: 'cookie', name: 'key', value: 'k' } } },
      { path: '/basic', auth: { type: 'basic_auth', config: { user: 'me', password: 'p:w' } } },
      {
        path: '/form',
        method: 'put',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'X-From': 'us' },
        body: () => ({ words: 'a b&c=d' }),
      },
      { path: '/get', method: 'GET' },
    ],
  })
  await identity.user(ADA)
  await identity.browser().signIn(ADA)
  const [key, cookie, basic, form, get] = receiver.calls
  assert.equal(key?.headers['x-key'], 'k')
  assert.equal(cookie?.headers.cookie, 'key=k')
  assert.equal(basic?.headers.authorization, `Basic ${Buffer.from('me:p:w').toString('base64')}`)
  assert.deepEqual([form?.method, form?.headers['x-from'], form?.body], ['PUT', 'us', 'words=a+b%26c%3Dd'])
  assert.equal(form?.headers['content-type'], 'application/x-www-form-urlencoded')
  assert.deepEqual([get?.method, get?.body], ['GET', ''])
})

test('an ignored response delays nothing', async () => {
  const { identity, receiver } = await hooked('login', {
    password: [{ path: '/aside', response: { ignore: true } }],
  })
  await identity.user(ADA)
  const { promise: after, resolve: answerIt } = Promise.withResolvers<void>()
  receiver.answers.set('/aside', { status: 400, after })
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
  answerIt()
  await identity.stop()
  assert.ok(identity.logged.some((line) => line.includes('a web hook failed')))
})

test('FLT-19 calls a background web hook before stopping', async () => {
  const { identity, receiver } = await hooked('login', {
    password: [{ path: '/aside', response: { ignore: true } }],
  })
  await identity.user(ADA)
  const { promise: after, resolve: answerAll } = Promise.withResolvers<void>()
  receiver.answers.set('/aside', { after })
  for (let n = 0; n < 25; n++) assert.equal((await identity.browser().signIn(ADA)).status, 200)
  let isOver = false
  const stopping = identity.stop().then(() => {
    isOver = true
  })
  await setImmediate()
  assert.equal(isOver, false)
  assert.ok(receiver.calls.length <= 20)
  answerAll()
  await stopping
  assert.equal(receiver.calls.length, 25)
})

test('a wrong password calls no web hook', async () => {
  const { identity, receiver } = await hooked('login', { password: [{ path: '/after' }] })
  await identity.user(ADA)
  await identity.browser().signIn(ADA, 'not this one')
  assert.deepEqual(receiver.calls, [])
})

test("a method's hooks replace those of the flow", async () => {
  const { identity, receiver } = await hooked('login', {
    password: [{ path: '/own' }],
    any: [{ path: '/any' }],
  })
  await identity.user(ADA)
  await identity.browser().signIn(ADA)
  assert.deepEqual(
    receiver.calls.map(({ path }) => path),
    ['/own'],
  )
})

for (const kind of ['registration', 'settings'] as const) {
  test(`a refused form shows the values of an earlier web hook: ${kind}`, async () => {
    const method = kind === 'settings' ? 'profile' : 'password'
    const hooks = [
      { path: '/parse', response: { parse: true } },
      { path: '/check', can_interrupt: true },
    ]
    const { identity, receiver } = await hooked(kind, { [method]: hooks })
    const browser = kind === 'settings' ? await identity.signedIn(ADA) : identity.browser()
    receiver.answers.set('/parse', changed({ traits: { email: ADA, name: 'by the hook' } }))
    receiver.answers.set('/check', refusal('#/traits/email'))
    const refused = await browser.submit(await browser.open(kind), {
      method,
      password: PASSWORD,
      traits: { email: ADA },
    })
    assert.deepEqual(fieldMessageIds(refused, 'traits.email'), [4711])
    assert.equal(nodeOf(refused, 'traits.name')?.value, 'by the hook')
  })
}

test('calls a busy web hook three times', async () => {
  const { identity, receiver } = await hooked('login', { password: [{ path: '/after' }] })
  await identity.user(ADA)
  receiver.answers.set('/after', { status: 503 })
  const browser = identity.browser()
  assert.equal((await browser.signIn(ADA)).status, 500)
  assert.equal(receiver.calls.length, 3)
  assert.equal(new Set(receiver.calls.map(({ headers }) => headers['ory-webhook-trigger-id'])).size, 1)
  assert.equal((await browser.whoami()).status, 401)
})

test('abandons a silent web hook', async () => {
  const impatience = new AbortController()
  const impatient: typeof fetch = (input, init) => fetch(input, { ...init, signal: impatience.signal })
  const { identity, receiver } = await hooked(
    'login',
    { password: [{ path: '/slow' }] },
    {},
    { fetch: impatient },
  )
  await identity.user(ADA)
  receiver.answers.set('/slow', { silent: true })
  const signedIn = identity.browser().signIn(ADA)
  await until(() => receiver.calls.length > 0)
  impatience.abort(new DOMException('It took too long.', 'TimeoutError'))
  assert.equal((await signedIn).status, 504)
  assert.equal(receiver.calls.length, 1)
})

test('FLT-09 follows no redirect of a web hook', async () => {
  const { identity, receiver } = await hooked('login', { password: [{ path: '/moved' }] })
  await identity.user(ADA)
  const canary = await startHookReceiver()
  receiver.answers.set('/moved', { status: 307, headers: { location: canary.url } })
  assert.equal((await identity.browser().signIn(ADA)).status, 502)
  assert.deepEqual(canary.calls, [])
})

test('FLT-09 calls private addresses only where listed', async () => {
  const guard = (private_ip_exception_urls: string[]) => ({
    clients: { http: { disallow_private_ip_ranges: true, private_ip_exception_urls } },
  })
  const closed = await hooked('login', { password: [{ path: '/after' }] }, guard([]))
  await closed.identity.user(ADA)
  assert.equal((await closed.identity.browser().signIn(ADA)).status, 500)
  assert.deepEqual(closed.receiver.calls, [])
  const open = await hooked('login', { password: [{ path: '/after' }] }, guard(['http://127.0.0.1:*/after']))
  await open.identity.user(ADA)
  assert.equal((await open.identity.browser().signIn(ADA)).status, 200)
  assert.equal(open.receiver.calls.length, 1)
})

test('an unreadable response stops the flow', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/parse', response: { parse: true } }],
  })
  const answers = [
    { body: { identity: { traits: 'none' } } },
    { body: { identity: { metadata_public: 'x'.repeat(1024 * 1024) } } },
    { status: 400, body: { messages: [] } },
    { status: 400, body: 'no' },
  ]
  for (const answer of answers) {
    receiver.answers.set('/parse', answer)
    const failed = await identity.app().register(ADA)
    assert.deepEqual([failed.status, failed.body.error.code], [400, 500])
  }
  assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
  receiver.answers.set('/parse', { status: 204 })
  assert.equal((await identity.app().register(ADA)).status, 200)
})

test('a body that cancels sends nothing, and one that throws stops the flow', async () => {
  const bodies = { failing: false }
  const body = () => {
    throw new Error(bodies.failing ? 'no such user' : 'cancel')
  }
  const { identity, receiver } = await hooked('login', { password: [{ path: '/after', body }] })
  await identity.user(ADA)
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
  bodies.failing = true
  assert.equal((await identity.browser().signIn(ADA)).status, 500)
  assert.deepEqual(receiver.calls, [])
  assert.ok(identity.logged.some((line) => line.includes('no such user')))
})

const jsonnet = (expression: string) =>
  `base64://${Buffer.from(`function(ctx) local name = ctx.identity.traits.name; ${expression}`).toString('base64')}`

test('SEC-103 no trait makes a Jsonnet body cancel an interrupting hook', async () => {
  for (const expression of [
    '{ free: 0, pro: 10 }[name]',
    '{ level: std.parseInt(name) }',
    '{ plan: error name }',
    "if name == 'pro' then {} else error 'no plan ' + name",
    'assert name != name : name; {}',
  ]) {
    const password = [{ path: '/check', can_interrupt: true, body: jsonnet(expression) }]
    const { identity, receiver } = await hooked('registration', { password }, {}, { kratos })
    const values = { method: 'password', password: PASSWORD, traits: { email: ADA, name: 'cancel' } }
    const app = identity.app()
    const { status } = await app.submit(await app.open('registration'), values)
    assert.equal(status, 400, expression)
    assert.deepEqual([receiver.calls, (await identity.admin('GET', '/admin/identities')).body], [[], []])
  }
})

test("a Jsonnet body's own error 'cancel' sends nothing", async () => {
  const body = jsonnet("if name == 'Ada' then error 'cancel' else { name: name }")
  const password = [{ path: '/check', can_interrupt: true, body }]
  const { identity, receiver } = await hooked('registration', { password }, {}, { kratos })
  for (const name of ['Ada', 'Bob']) {
    const app = identity.app()
    const values = { method: 'password', password: PASSWORD, traits: { email: `${name}@example.com`, name } }
    assert.equal((await app.submit(await app.open('registration'), values)).status, 200)
  }
  assert.deepEqual(
    receiver.calls.map(({ body }) => body),
    [{ name: 'Bob' }],
  )
})

test('logs no secret of a failing web hook', async () => {
  const secrets = { type: 'api_key', config: { in: 'header', name: 'X-Key', value: 'secret-key' } }
  const password = { type: 'basic_auth', config: { user: 'me', password: 'secret-password' } }
  const invalid = { ...secrets, config: { ...secrets.config, value: 'secret\nkey' } }
  for (const auth of [secrets, password, invalid]) {
    const hook = { path: '/secret-path?token=secret-token', auth, headers: { 'X-More': 'secret-header' } }
    const { identity, receiver } = await hooked('login', { password: [hook] })
    await identity.user(ADA)
    receiver.answers.set(hook.path, { status: 500, body: 'secret-answer' })
    const failed = await identity.browser().signIn(ADA)
    assert.equal(failed.status, 500)
    assert.ok(identity.logged.some((line) => line.includes('a web hook failed')))
    assert.doesNotMatch(identity.logged.join('\n') + JSON.stringify(failed.body), /secret/)
  }
})

test('after a web hook failed, the form names the method of the sign-in', async () => {
  const { identity, receiver } = await hooked('login', { password: [{ path: '/check' }] })
  await identity.user(ADA)
  receiver.answers.set('/check', { status: 500 })
  const browser = identity.browser()
  const form = await browser.open('login')
  await browser.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  const shown: Answer = await browser.get(`/self-service/login/flows?id=${form.body.id}`)
  assert.equal(shown.body.active, 'password')
})

test('a parsing web hook that answers null changes nothing', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/parse', response: { parse: true } }],
  })
  receiver.answers.set('/parse', { status: 200, body: null })
  const { status, body } = await identity.app().register('ada@example.com')
  assert.deepEqual([status, body.identity.traits], [200, { email: 'ada@example.com' }])
})

for (const kind of ['recovery', 'verification'] as const) {
  test(`a script gets 400 if a web hook fails after ${kind}, and the code still works`, async () => {
    const { identity, receiver } = await hooked(kind, { any: [{ path: '/check', can_interrupt: true }] })
    await identity.user(ADA)
    const browser = identity.browser()
    const sent = await browser.submit(await browser.open(kind), { method: 'code', email: ADA })
    const code = await identity.code(ADA)
    receiver.answers.set('/check', { status: 418 })
    const failed: Answer = await browser.submit(sent, { method: 'code', code })
    assert.deepEqual([failed.status, failed.body.error.code], [400, 500])
    receiver.answers.delete('/check')
    const done = await browser.submit(sent, { method: 'code', code })
    assert.equal(done.status, kind === 'recovery' ? 422 : 200)
  })
}
