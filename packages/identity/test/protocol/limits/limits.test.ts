import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds } from '../../../src/testing/answers.ts'
import type { App, Browser } from '../../../src/testing/clients.ts'
import { runs } from '../../input/sample.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import type { Merge, TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity, SHARED_LIMITS, VERIFIED_ONLY } from '../../kit/kit.ts'
import { enter, PASSKEYS, withPasskey } from '../../kit/passkeys.ts'
import { letsIn } from '../../kit/recovery-kit.ts'
import { replicas } from '../../kit/replicas-kit.ts'
import { hooked, refusal } from '../../servers/hook-kit.ts'

const ADA = 'ada@example.com'
const TOO_MANY = 4290001

test('SEC-46 a known device signs in despite hundreds of wrong passwords', async () => {
  const identity = await createTestIdentity(PASSKEYS)
  const { browser: before, key } = await withPasskey(identity, ADA)
  before.cookies.delete('ory_kratos_session')
  const statuses = await guessPasswords(identity, { places: 50, guesses: 8 })
  assert.ok(statuses.filter((status) => status === 400).length <= 20 + 50 * 5)
  assert.ok(statuses.filter((status) => status === 429).length >= 380 - 50 * 5)
  assert.equal((await before.signIn(ADA)).status, 200)
  assert.equal((await enter(identity.browser(), key)).status, 200)
  const forgetful = identity.browser()
  const form = await forgetful.submit(await forgetful.open('recovery'), { method: 'code', email: ADA })
  assert.ok(letsIn(await forgetful.submit(form, { code: await identity.code(ADA) })))
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
  const neighbour = strangerOf(identity, 0)
  const refused = await neighbour.signIn(ADA)
  assert.equal(refused.status, 429)
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60, `${wait} s`)
  identity.advance(wait * 1000)
  assert.equal((await neighbour.signIn(ADA)).status, 200)
})

test('SEC-46 an app with its old session token is a known device', async () => {
  const { identity, owner } = await withOwner({ limits: { password: { allowance: 'off' } } })
  const app = identity.app()
  await app.signIn(ADA)
  await app.send('DELETE', '/self-service/logout/api', { session_token: app.token })
  for (let n = 0; n < 30; n++) await owner.stranger(n).signIn(ADA, 'wrong')
  assert.equal((await identity.app().signIn(ADA)).status, 429)
  assert.equal((await app.signIn(ADA)).status, 200)
})

test('SEC-46 a known device gets ten more wrong passwords', async () => {
  const { identity } = await withOwner({ limits: { password: { allowance: 'off' } } })
  const browser = identity.browser()
  await browser.signIn(ADA)
  browser.cookies.delete('ory_kratos_session')
  const statuses = []
  for (let n = 0; n < 22; n++) statuses.push((await browser.signIn(ADA, 'wrong')).status)
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 400), 429, 429])
})

test('a limited form keeps its values and gives the retry time', async () => {
  const { identity } = await withOwner({ limits: { password: { client: { burst: 1, refill: '90s' } } } })
  const browser = identity.browser()
  await browser.signIn(ADA, 'wrong')
  const refused = await browser.signIn(ADA, 'wrong')
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '90')
  const { ui, error } = refused.body
  assert.equal(ui.messages[0].text, 'Too many attempts. Try again in 2 minutes.')
  assert.equal(ui.messages[0].context.retry_after, 90)
  const typed = ui.nodes.find(
    ({ attributes }: { attributes: { name?: string } }) => attributes.name === 'identifier',
  )
  assert.equal(typed.attributes.value, ADA)
  assert.deepEqual([error.id, error.code, error.status], ['too_many_attempts', 429, 'Too Many Requests'])
  assert.equal(error.reason, ui.messages[0].text)
  const page = await browser.navigate('/self-service/login/browser')
  const form = await browser.get(
    `/self-service/login/flows?id=${new URL(page.location ?? '').searchParams.get('flow')}`,
  )
  const fields = { csrf_token: tokenIn(form), method: 'password', identifier: ADA, password: 'wrong' }
  const posted = await browser.post(form.body.ui.action, fields)
  assert.equal(posted.status, 303)
  const shown = await browser.get(`/self-service/login/flows?id=${form.body.id}`)
  assert.deepEqual(messageIds(shown), [TOO_MANY])
})

test('SEC-43 guesses from one address or IPv6 network share a limit', async () => {
  const { identity } = await withOwner()
  const spellings = ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff::', '2001:db8:1:2:3:4:5:6']
  const statuses = []
  for (let n = 0; n < 110; n++) {
    const app = identity.app()
    app.address = spellings[n % 3] ?? ''
    statuses.push(
      (await app.signIn(`user${n}@example.com`, 'wrong', { 'x-forwarded-for': `198.51.100.${n}` })).status,
    )
  }
  assert.equal(statuses.filter((status) => status === 400).length, 100)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
})

test('SEC-43 limits clients behind proxies, despite a forged X-Forwarded-For', async () => {
  const serve = { public: { trusted_proxies: 1 } }
  const limits = { password: { client: { burst: 2, refill: '1h' } } }
  const { identity } = await withOwner({ serve, limits })
  const app = identity.app()
  const from = async (forwarded: string, n: number) =>
    (await app.signIn(`${n}@example.com`, 'wrong', { 'x-forwarded-for': forwarded })).status
  assert.equal(await from('203.0.113.1', 1), 400)
  assert.equal(await from('9.9.9.9, 203.0.113.1', 2), 400)
  assert.equal(await from('8.8.8.8, 7.7.7.7, 203.0.113.1', 3), 429)
  assert.equal(await from('203.0.113.2', 4), 400)
})

test('repeated registrations send few emails, for any address', async () => {
  const mitigate = { security: { account_enumeration: { mitigate: true } } }
  const identity = await createTestIdentity({ ...VERIFIED_ONLY, ...mitigate, limits: SHARED_LIMITS })
  await identity.user(ADA)
  const shapes = []
  for (const email of [ADA, 'free@example.com']) {
    const statuses = []
    for (let n = 0; n < 40; n++) statuses.push((await identity.app().register(email)).status)
    shapes.push(statuses)
  }
  assert.deepEqual(shapes[0], shapes[1])
  assert.equal(shapes[0]?.filter((status) => status === 200).length, 5)
  assert.equal((await identity.mails(ADA)).length, 5)
})

test('does not count registrations that policy or web hook refuse', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/check', can_interrupt: true }],
  })
  const app = identity.app()
  for (let n = 0; n < 10; n++) {
    assert.equal((await app.register(ADA, 'short')).status, 400)
    receiver.answers.set('/check', refusal('#/traits/email'))
    assert.equal((await app.register(ADA)).status, 400)
    receiver.answers.clear()
  }
  assert.equal((await app.register(ADA)).status, 200)
})

test('accepts fifty of sixty registrations from one address', async () => {
  const identity = await createTestIdentity()
  const app = identity.app()
  const statuses = []
  for (let n = 0; n < 60; n++) statuses.push((await app.register(`user${n}@example.com`)).status)
  assert.deepEqual(statuses, [
    ...Array.from({ length: 50 }, () => 200),
    ...Array.from({ length: 10 }, () => 429),
  ])
})

test('FLT-23 refuses a client that abandons many flows', async () => {
  const { identity } = await withOwner({ limits: { flow: { client: { burst: 20, refill: '3s' } } } })
  const browser = identity.browser()
  for (let n = 0; n < 20; n++) assert.equal((await browser.open('login')).status, 200)
  const script = await browser.open('registration')
  assert.deepEqual([script.status, script.headers.get('retry-after')], [429, '3'])
  const { error } = script.body as unknown as { error: { code: number; details: { retry_after: number } } }
  assert.deepEqual([error.code, error.details.retry_after], [429, 3])
  const page = await browser.navigate('/self-service/login/browser')
  assert.deepEqual([page.status, page.body], [429, 'Too many attempts. Try again in 3 seconds.\n'])
  identity.advance(3000)
  assert.equal((await browser.open('login')).status, 200)
})

test('successful sign-ins do not count against a limit', async () => {
  const tight = { burst: 3, refill: '1h' }
  const { identity } = await withOwner({
    limits: { password: { account: tight, client: tight }, flow: { client: tight } },
  })
  const app = identity.app()
  for (let n = 0; n < 12; n++) {
    app.token = undefined
    assert.equal((await app.signIn(ADA)).status, 200, `sign-in ${n}`)
  }
})

test('SEC-45 all password forms share one limit', async () => {
  const { identity } = await withOwner({ limits: SHARED_LIMITS })
  const browser = identity.browser()
  await browser.signIn(ADA)
  browser.cookies.delete('device')
  const doors: (() => Promise<Answer>)[] = [
    () => identity.app().signIn(ADA, 'wrong'),
    () => identity.browser().signIn(ADA, 'wrong'),
    () => identity.app().signIn(ADA.toUpperCase(), 'wrong'),
  ]
  const statuses = []
  for (let n = 0; n < 12; n++) statuses.push((await doors[n % doors.length]?.())?.status)
  assert.deepEqual(statuses.slice(10), [429, 429])
})

testOnEach('SEC-44 parallel wrong passwords at two replicas cannot exceed the limit', async () => {
  const { first, app } = await replicas({ limits: SHARED_LIMITS })
  await first.user(ADA)
  // A second later, another guess is allowed.
  const clients = Array.from({ length: runs(100, 200) }, () => app())
  const forms = []
  for (const client of clients) forms.push([client, await client.open('login')] as const)
  const values = { method: 'password', identifier: ADA, password: 'wrong' }
  const answers = await Promise.all(forms.map(([client, form]) => client.submit(form, values)))
  const having = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  assert.ok(having(400) <= 10, `${having(400)} were compared`)
  // A full queue refuses before comparing. Until such a guess is refunded, it may take the place
  // of others.
  assert.ok(having(400) + having(503) > 0)
  const others = answers.filter(({ status }) => ![400, 429, 503].includes(status))
  assert.deepEqual(others, [])
})

test('each limit can be disabled, which startup logs', async () => {
  const off = { password: 'off', flow: { client: false } }
  const { identity } = await withOwner({ limits: off })
  for (let n = 0; n < 15; n++) assert.equal((await identity.app().signIn(ADA, 'wrong')).status, 400)
  const said = identity.logged.join('\n')
  for (const path of ['limits.password.account', 'limits.password.total', 'limits.flow.client'])
    assert.ok(said.includes(`${path} is off`), path)
})

test('does not start with an invalid limit', async () => {
  for (const limits of [
    { passwords: 'off' },
    { password: { client: { burst: 0 } } },
    { flow: { account: 'off' } },
  ])
    await assert.rejects(createTestIdentity({ limits }), /limits/)
})

async function guessPasswords(
  identity: TestIdentity,
  { places, guesses }: { readonly places: number; readonly guesses: number },
): Promise<number[]> {
  const statuses: number[] = []
  const forms: [App | Browser, FlowAnswer][] = []
  for (let n = 0; n < places; n++) {
    const stranger = strangerOf(identity, n)
    forms.push([stranger, await stranger.open('login')])
  }
  for (let n = 0; n < guesses; n++) {
    for (const [stranger, form] of forms) {
      const values = { method: 'password', identifier: ADA, password: 'wrong' }
      statuses.push((await (stranger as App).submit(form, values)).status)
    }
  }
  return statuses
}

async function withOwner(overrides: Merge = {}) {
  const identity = await createTestIdentity(overrides)
  await identity.user(ADA)
  return { identity, owner: { stranger: (n: number) => strangerOf(identity, n) } }
}

function strangerOf(identity: TestIdentity, n: number): App | Browser {
  const stranger = n % 2 === 0 ? identity.app() : identity.browser()
  stranger.address = `198.51.${n % 50}.1`
  return stranger
}

function tokenIn(form: Answer): string {
  const nodes: { attributes: { name?: string; value?: unknown } }[] = form.body.ui.nodes
  return String(nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value)
}
