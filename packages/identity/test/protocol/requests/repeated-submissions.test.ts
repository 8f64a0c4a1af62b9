import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { allStrategies } from '../../../src/strategies/all.ts'
import { type Answer, type FlowAnswer, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { App, Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { few } from '../../input/sample.ts'
import { newDsn, openTestDatabase, test, testOnEach } from '../../kit/databases.ts'
import { ADA } from '../../kit/factors.ts'
import { createTestIdentity, merge, type TestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'
import { type Client, configFor, NEW, type Ready, WAITING } from '../../kit/submission-kit.ts'
import { SUBMISSIONS } from '../../kit/submissions.ts'
import { withAcme } from '../../servers/oidc-kit.ts'

const SENDERS: Record<
  string,
  { open(identity: TestIdentity): Client; send(client: Client, ready: Ready): Promise<Answer> }
> = {
  script: {
    open: (identity) => identity.browser(),
    send: (browser, { flow, values }) => browser.submit(flow, values),
  },
  page: {
    open: (identity) => identity.browser(),
    send: (browser, { flow, values }) => {
      assert.ok(browser instanceof Browser)
      const token = tokenOf(flow)
      const fields = { ...fieldsOf(values), ...(token === undefined ? {} : { csrf_token: String(token) }) }
      return browser.post(flow.body.ui.action, fields)
    },
  },
  app: { open: (identity) => identity.app(), send: (app, { flow, values }) => app.submit(flow, values) },
}

/** As an HTML form names them. */
function fieldsOf(values: object, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'object'
        ? Object.entries(fieldsOf(value, `${name}.`))
        : [[prefix + name, String(value)]],
    ),
  )
}

/** With the cookies from before the first answer. */
function twinOf(client: Client): Client {
  return client instanceof App ? client : client.twin()
}

/** Forms where scripts and apps get another code by their first request. Others have a field for it. */
const ASKS_BY_ADDRESS = new Set(
  Object.values(SUBMISSIONS).filter(
    ({ kind, asksForCode }) => asksForCode && (kind === 'recovery' || kind === 'verification'),
  ),
)

const WAYS = ['again', 'twice at once'] as const
const COMBINATIONS = Object.entries(SENDERS).flatMap(([by, sender]) =>
  WAYS.map((way) => ({ by, way, ...sender })),
)

for (const [name, row] of Object.entries(SUBMISSIONS)) {
  const possible = COMBINATIONS.filter(({ by }) => by !== 'app' || !row.inBrowsers)
  for (const { by, way, open, send } of few(name, possible, 3)) {
    // Senders differ in HTTP, not in SQL.
    const each = way === 'twice at once' && by === 'script' ? testOnEach : test
    each(
      `SEC-113 a ${name}, sent ${way} by ${by === 'app' ? 'an' : 'a'} ${by}, has one effect and one answer`,
      async () => {
        const identity = await createTestIdentity(configFor(row), { sleep: async (ms) => await sleep(ms) })
        const client = open(identity)
        const ready = await row.prepare(identity, client)
        const before = await countEffects(identity)
        const senders = [client, twinOf(client)]
        const answers = await inOrder(senders, way, (one) => send(one, ready))
        const isAnotherRequest = way === 'again' && by !== 'page' && ASKS_BY_ADDRESS.has(row)
        if (!isAnotherRequest) assert.deepEqual(shownBy(answers[1]), shownBy(answers[0]))
        assert.ok((answers[0]?.status ?? 500) < 500)
        const after = await countEffects(identity)
        assert.ok(
          after.mails - before.mails <= (isAnotherRequest ? 2 : 1),
          `${after.mails - before.mails} emails`,
        )
        assert.ok(after.accounts - before.accounts <= 1)
        assert.ok(after.sessions - before.sessions <= 1)
      },
    )
  }

  test(`SEC-113 another browser gets nothing of a ${name}`, async () => {
    const identity = await createTestIdentity(configFor(row))
    const browser = identity.browser()
    const ready = await row.prepare(identity, browser)
    const first: Answer = await browser.submit(ready.flow, ready.values)
    const stranger = identity.browser()
    await stranger.open('login')
    const answer: Answer = await stranger.submit(ready.flow, ready.values)
    assert.notDeepEqual(shownBy(answer), shownBy(first))
    assert.ok(!answer.headers.getSetCookie().some((cookie) => /session=[^;]/.test(cookie)))
  })
}

async function inOrder(
  senders: readonly Client[],
  way: (typeof WAYS)[number],
  submit: (one: Client) => Promise<Answer>,
): Promise<readonly Answer[]> {
  if (way === 'twice at once') return await Promise.all(senders.map(submit))
  const answers: Answer[] = []
  for (const one of senders) answers.push(await submit(one))
  return answers
}

async function countEffects(identity: TestIdentity) {
  const accounts = (await identity.admin('GET', '/admin/identities')).body
  const sessions = (await identity.admin('GET', '/admin/sessions?page_size=500')).body
  return {
    mails: (await identity.listMails(1000)).length,
    accounts: accounts.length,
    sessions: sessions.length,
  }
}

/** Cookies of the session and against forged requests, but not of the device, which is sealed again. */
function shownBy(answer: Answer | undefined) {
  const cookies = answer?.headers.getSetCookie().filter((cookie) => /^\w*(session|csrf)/.test(cookie))
  return { status: answer?.status, location: answer?.location, body: answer?.body, cookies }
}

test('an app that asks to resend a code gets another at once, each time', async () => {
  const identity = await createTestIdentity(CODES)
  const app = identity.app()
  const asked = await app.submit(await app.open('registration'), { method: 'code', traits: { email: NEW } })
  for (let count = 2; count < 4; count++) {
    await app.submit(asked, { method: 'code', resend: 'code', traits: { email: NEW } })
    assert.equal((await countEffects(identity)).mails, count)
  }
})

test('SEC-113 every step has a row', () => {
  const rows = Object.values(SUBMISSIONS).map(({ kind, method }) => `${kind} ${method}`)
  const steps = allStrategies.flatMap(({ id, steps }) => Object.keys(steps).map((kind) => `${kind} ${id}`))
  assert.deepEqual(
    steps.filter((step) => !rows.includes(step)),
    ['login oidc', 'registration oidc', 'settings oidc'],
  )
})

test('SEC-113 a form that refused an unverified address signs in once it is verified', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  const browser = identity.browser()
  await browser.register(ADA)
  const app = identity.app()
  const flow = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const refused: Answer = await app.submit(flow, values)
  assert.equal(refused.status, 403)
  const verified = await app.send('GET', `/self-service/verification/flows?id=${verificationIn(refused)?.id}`)
  await app.submit(verified, { method: 'code', code: await identity.code(ADA) })
  assert.equal((await app.submit(flow, values)).status, 200)
})

test('SEC-113 a repetition gets nothing after an operator changed the password', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  const flow: FlowAnswer = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const first: Answer = await app.submit(flow, values)
  identity.advance(1000)
  const { id } = first.body.session.identity
  const credentials = { password: { config: { password: 'other quiet words' } } }
  const account = { schema_id: 'default', state: 'active', traits: { email: ADA }, credentials }
  assert.equal((await identity.admin('PUT', `/admin/identities/${id}`, account)).status, 200)
  assert.equal((await app.submit(flow, values)).status, 400)
})

test('SEC-113 only the same input of the same browser gets the first answer, for five minutes', async () => {
  const identity = await createTestIdentity(WAITING)
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const values = { method: 'password', password: PASSWORD, traits: { email: NEW } }
  const twin = browser.twin()
  const late = browser.twin()
  const first: Answer = await browser.submit(flow, values)
  const stranger = await identity.browser().submit(flow, values)
  assert.equal(stranger.status, 403)
  const other: Answer = await twin.submit(flow, { ...values, password: 'other quiet words' })
  assert.notEqual(other.body.identity.id, first.body.identity.id)
  identity.advance(6 * 60_000)
  const again: Answer = await late.submit(flow, values)
  assert.notEqual(again.body.identity?.id, first.body.identity.id)
})

test('SEC-113 an expired form is replaced, although it answered the same submission before', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  const flow = await browser.open('verification')
  const values = { method: 'code', email: ADA }
  assert.equal((await browser.submit(flow, values)).body.id, flow.body.id)
  identity.advance(61 * 60_000)
  const expired: Answer = await browser.submit(flow, values)
  assert.notEqual(expired.body?.id, flow.body.id)
  assert.ok(expired.status === 303 || expired.status === 410)
})

test('SEC-113 a second way to the provider, from the same form, does not wait for an answer', async () => {
  const waits: number[] = []
  const { identity } = await withAcme({}, {}, { sleep: async (ms) => void waits.push(ms) })
  const browser = identity.browser()
  const flow = await browser.open('login')
  const values = { method: 'oidc', provider: 'acme' }
  const first: Answer = await browser.submit(flow, values)
  const second: Answer = await browser.submit(flow, values)
  assert.deepEqual([first.status, second.status], [422, 422])
  assert.notEqual(second.body.redirect_browser_to, first.body.redirect_browser_to)
  assert.deepEqual(waits, [])
})

const CODES = { selfservice: { methods: { code: { passwordless_enabled: true } } } }
const SIGNS_IN = merge(CODES, {
  selfservice: { flows: { registration: { after: { code: { hooks: [{ hook: 'session' }] } } } } },
})

for (const caller of ['browser', 'app'] as const) {
  test(`SEC-116 after a logout, the registration of a ${caller} by code is not answered again`, async () => {
    const identity = await createTestIdentity(SIGNS_IN)
    const client = identity[caller]()
    const traits = { email: NEW }
    const asked = await client.submit(await client.open('registration'), { method: 'code', traits })
    const values = { method: 'code', traits, code: await identity.code(NEW) }
    const late = client instanceof Browser ? client.twin() : client
    const first: Answer = await client.submit(asked, values)
    const again: Answer = await late.submit(asked, values)
    assert.deepEqual([first.status, again.status], [200, 200])
    await signOut(client, first)
    const replayed: Answer = await late.submit(asked, values)
    assert.deepEqual([replayed.status, replayed.body.session], [400, undefined])
  })
}

async function signOut(client: Browser | App, { body }: Answer): Promise<void> {
  const session_token = body.session_token
  const left =
    client instanceof Browser
      ? await client.navigate(
          new URL((await client.get('/self-service/logout/browser')).body.logout_url).href,
        )
      : await client.send('DELETE', '/self-service/logout/api', { session_token })
  assert.ok(left.status < 400)
}

test('SEC-113 a repetition gets no session that has ended', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  const flow: FlowAnswer = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const first: Answer = await app.submit(flow, values)
  await app.send('DELETE', '/self-service/logout/api', { session_token: first.body.session_token })
  const again: Answer = await app.submit(flow, values)
  assert.equal(again.status, 200)
  assert.notEqual(again.body.session_token, first.body.session_token)
})

for (const caller of ['browser', 'app'] as const) {
  test(`SEC-122 a form that sends many codes to one ${caller} stays small`, async () => {
    const dsn = await newDsn({ shared: true })
    const identity = await createTestIdentity({ dsn })
    const client = identity[caller]()
    const form = await client.open('recovery')
    for (let count = 0; count < 20; count++)
      await client.submit(form, { method: 'code', email: `user${count}@example.com` })
    const db = await openTestDatabase(dsn)
    const rows = await db.selectFrom('flows').select('answer').execute()
    for (const { answer } of rows) assert.ok((answer ?? '').length < 20_000, `${answer?.length}`)
  })
}

test('SEC-113 a repeated answer is stored sealed', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  await identity.user(ADA)
  const app = identity.app()
  const done: Answer = await app.register('new@example.com')
  const db = await openTestDatabase(dsn)
  const rows = await db.selectFrom('flows').select('answer').execute()
  assert.ok(rows.some(({ answer }) => answer !== null))
  assert.ok(rows.every(({ answer }) => !answer?.includes(done.body.session_token)))
})
