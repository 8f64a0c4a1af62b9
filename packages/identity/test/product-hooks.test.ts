import assert from 'node:assert/strict'
import { type Extension, type Hooks, refusal } from '../src/index.ts'
import { verificationIn } from '../src/testing/answers.ts'
import { newDsn, testOnEach as test } from './kit/databases.ts'
import { createTestIdentity, merge, type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'
import { insertLink, listLinks, readlist, welcome } from './kit/readlist.ts'
import { until } from './kit/until.ts'
import { startHookReceiver } from './servers/hook-receiver.ts'

const ADA = 'ada@example.com'
const FIRST = 'https://example.com/first'
const url = 'https://readlist.example/'

test('a hook in the transaction stores rows and queues an email with the account', async () => {
  const identity = await withHooks({
    registered: {
      async inTransaction({ identity: { id, traits }, db, mail }) {
        await insertLink(db, id, FIRST)
        const to = String(traits.email)
        await mail.send({ to, template: welcome, data: { email: to, url } })
      },
    },
  })
  assert.equal((await identity.browser().register(ADA)).status, 200)
  assert.deepEqual(await listLinks(identity.db, await idOf(identity, ADA)), [FIRST])
  const mail = (await identity.mails(ADA)).find(({ template_type }) => template_type === 'welcome')
  assert.equal(mail?.subject, 'Welcome to Readlist')
})

test('a hook refuses a registration with a sentence, and nothing is stored', async () => {
  let committed = 0
  const identity = await withHooks({
    registered: {
      async inTransaction({ identity: { id }, db, mail }) {
        await insertLink(db, id, FIRST)
        await mail.send({ to: ADA, template: welcome, data: { email: ADA, url } })
        throw refusal('Ask your company for an invitation.')
      },
      async afterCommit() {
        committed += 1
      },
    },
  })
  const refused = await identity.browser().register(ADA)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.ui.messages[0].text, 'Ask your company for an invitation.')
  assert.deepEqual(await stored(identity), { accounts: 0, links: [], mails: 0 })
  assert.equal(committed, 0)
})

test('SEC-13 a hook refuses a taken address as it does a free one', async () => {
  const mitigate = { security: { account_enumeration: { mitigate: true } } }
  const registered = {
    async inTransaction({ identity: { id, traits }, db }) {
      await insertLink(db, id, FIRST)
      if (!`${traits.email}`.startsWith('invited')) throw refusal('Ask your company for an invitation.')
    },
  } satisfies Hooks['registered']
  const identity = await withHooks({ registered }, merge(VERIFIED_ONLY, mitigate))
  const taken = ['taken@example.com', 'invited@example.com']
  for (const email of taken) await identity.admin('POST', '/admin/identities', { traits: { email } })
  const answers = []
  for (const email of [...taken, 'free@example.com', 'invited2@example.com'])
    answers.push(await identity.browser().register(email))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 200, 400, 200],
  )
  assert.equal((await listLinks(identity.db)).length, 1)
})

test('any other failure of a hook in the transaction answers 500, and nothing is stored', async () => {
  const identity = await withHooks({
    registered: {
      async inTransaction({ identity: { id }, db }) {
        await insertLink(db, id, FIRST)
        throw new Error('a bug')
      },
    },
  })
  assert.equal((await identity.browser().register(ADA)).status, 500)
  assert.deepEqual(await stored(identity), { accounts: 0, links: [], mails: 0 })
})

test('a hook refuses a sign-in despite the correct password', async () => {
  const identity = await withHooks({
    signedIn: {
      async inTransaction({ identity: { metadata_admin } }) {
        if (metadata_admin === null) throw refusal('Your plan has ended.')
      },
    },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  const refused = await browser.signIn(ADA)
  assert.deepEqual([refused.status, refused.body.ui.messages[0].text], [400, 'Your plan has ended.'])
  assert.equal((await browser.whoami()).status, 401)
})

test('retries a hook after the commit until it succeeds', async () => {
  let calls = 0
  const identity = await withHooks({
    registered: {
      async afterCommit({ identity: { id }, db }) {
        calls += 1
        if (calls < 3) throw new Error('the CRM is away')
        await insertLink(db, id, FIRST)
      },
    },
  })
  assert.equal((await identity.browser().register(ADA)).status, 200)
  await until(async () => (await listLinks(identity.db)).length === 1)
  assert.equal(calls, 3)
})

test('gives up a hook after four attempts and logs it', async () => {
  let calls = 0
  const identity = await withHooks({
    registered: {
      async afterCommit() {
        calls += 1
        throw new Error('the CRM is away')
      },
    },
  })
  assert.equal((await identity.browser().register(ADA)).status, 200)
  await until(() => identity.logged.some((line) => line.startsWith('product hook failed {')))
  assert.equal(calls, 4)
})

test('runs the hooks of an account from its registration to its deletion', async () => {
  const calls: string[] = []
  const note = (name: string, more = '') => void calls.push(`${name} ${more}`.trim())
  const identity = await withHooks(
    {
      registered: {
        inTransaction: async ({ identity }) => note('registered', String(identity.traits.email)),
      },
      verified: {
        inTransaction: async ({ identity }) =>
          note('verified', String(identity.verifiable_addresses?.[0]?.verified)),
      },
      signedIn: {
        inTransaction: async ({ session }) => note('signedIn', session.authentication_methods[0]?.method),
      },
      emailChanged: {
        inTransaction: async ({ identity, previous }) =>
          note('emailChanged', `${previous.traits.email} to ${identity.traits.email}`),
      },
      deleted: { afterCommit: async ({ identity }) => note('deleted', String(identity.traits.email)) },
    },
    VERIFIED_ONLY,
  )
  const browser = identity.browser()
  const registered = await browser.register(ADA)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  await browser.signIn(ADA)
  const settings = await browser.open('settings')
  await browser.submit(settings, { method: 'profile', traits: { email: 'ada@example.org', name: 'Ada' } })
  const named = await browser.open('settings')
  await browser.submit(named, { method: 'profile', traits: { email: 'ada@example.org', name: 'Grace' } })
  await identity.admin('DELETE', `/admin/identities/${await idOf(identity, 'ada@example.org')}`)
  await until(() => calls.length === 5)
  assert.deepEqual(calls, [
    'registered ada@example.com',
    'verified true',
    'signedIn password',
    'emailChanged ada@example.com to ada@example.org',
    'deleted ada@example.org',
  ])
})

test('an email joins the transaction of the product', async () => {
  const identity = await withHooks({})
  const send = (commits: boolean) =>
    identity.db.transaction().execute(async (db) => {
      await identity.mail.send({ to: ADA, template: welcome, data: { email: ADA, url }, db })
      if (!commits) throw new Error('undone')
    })
  await assert.rejects(send(false), /undone/)
  assert.equal((await identity.mails(ADA)).length, 0)
  await send(true)
  // A trait keeps its spelling.
  await identity.mail.send({ to: ADA.toUpperCase(), template: welcome, data: { email: ADA, url } })
  assert.equal((await identity.mails(ADA)).length, 2)
})

test('a courier by HTTP receives the data of the template', async () => {
  const receiver = await startHookReceiver()
  const http = { request_config: { url: `${receiver.url}/mail` } }
  const identity = await withHooks({}, { courier: { delivery_strategy: 'http', http } })
  identity.start()
  await identity.mail.send({ to: ADA, template: welcome, data: { email: ADA, url } })
  await until(() => receiver.calls.length === 1)
  const { template_type, recipient, to, subject } = receiver.calls[0]!.body
  const expected = ['welcome', ADA, ADA, 'Welcome to Readlist']
  assert.deepEqual([template_type, recipient, to, subject], expected)
})

test('an email looks like those of the service, and its values are escaped', async () => {
  const identity = await withHooks({}, { courier: { smtp: { from_name: 'Readlist' } } })
  const email = '<b>ada</b>@example.com'
  await identity.mail.send({ to: ADA, template: welcome, data: { email, url } })
  const [mail] = await identity.listMails(1)
  assert.equal(
    mail?.body,
    `Your list is ready\n\nWe keep the links of ${email}. Open your list:\n\n${url}\n\n- Add links\n- Read them <later>\n\nYou get this email once.\n\nReadlist sent this email to ${ADA}.\n`,
  )
  assert.match(mail.html, /<p class="quiet".*Readlist<\/p>\n<h1[^>]*>Your list is ready<\/h1>/)
  assert.match(mail.html, /&#60;b&#62;ada&#60;\/b&#62;@example\.com/)
  assert.match(mail.html, /<a class="button" href="https:\/\/readlist\.example\/"[^>]*>Open my list<\/a>/)
  const preview = identity.mail.preview({ ...welcome, sample: { email, url: '/list' } })
  assert.deepEqual(preview.subject, 'Welcome to Readlist')
  assert.match(preview.text, /^https?:\/\/[\w.:]+\/list$/m)
  await assert.rejects(
    identity.mail.send({ to: '+14155550100', template: welcome, data: { email, url } }),
    /email address/,
  )
})

test('SEC-10 an email with a button for a script is refused', async () => {
  const identity = await withHooks({})
  for (const url of ['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
    await assert.rejects(
      identity.mail.send({ to: ADA, template: welcome, data: { email: ADA, url } }),
      /instead of http: or https:/,
    )
  assert.deepEqual(await identity.listMails(1), [])
})

async function withHooks(on: Hooks, overrides: object = {}): Promise<TestIdentity> {
  const product: Partial<Extension> = { ...readlist, on }
  return await createTestIdentity({ dsn: await newDsn({ empty: true }), ...overrides }, product)
}

async function stored(identity: TestIdentity): Promise<object> {
  const accounts = (await identity.admin('GET', '/admin/identities')).body.length
  const mails = (await identity.listMails(10)).length
  return { accounts, links: await listLinks(identity.db), mails }
}

async function idOf(identity: TestIdentity, email: string): Promise<string> {
  const { body } = await identity.admin('GET', `/admin/identities?credentials_identifier=${email}`)
  return body[0].id
}
