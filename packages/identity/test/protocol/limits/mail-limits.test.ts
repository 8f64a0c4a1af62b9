import assert from 'node:assert/strict'
import { type Answer, messageIds, nodeOf, verificationIn } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, merge, userSchema, VERIFIED_ONLY } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

const TOO_MANY = 4290001
/** At once. */
const OWN = 10
const ALLOWANCE = 12
const ADDRESS = '198.51.100.1'
const FEW = mailLimit(2)
const WAITS = {
  selfservice: { flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } } },
}
const EVERY_FORM = merge(VERIFIED_ONLY, {
  security: { account_enumeration: { mitigate: true } },
  selfservice: {
    methods: { code: { passwordless_enabled: true } },
    flows: {
      recovery: { notify_unknown_recipients: true },
      verification: { notify_unknown_recipients: true },
    },
  },
})

const FORMS: readonly ((browser: Browser, email: string) => Promise<Answer>)[] = [
  async (browser, email) => await browser.submit(await browser.open('recovery'), { method: 'code', email }),
  async (browser, email) =>
    await browser.submit(await browser.open('verification'), { method: 'code', email }),
  async (browser, email) =>
    await browser.submit(await browser.open('login'), { method: 'code', identifier: email }),
  async (browser, email) =>
    await browser.submit(await browser.open('registration'), { method: 'code', traits: { email } }),
  async (browser, email) => await browser.register(email),
]

for (const taken of [0, 50]) {
  test(`SEC-70 spellings of a mailbox, ${taken} with accounts, share one allowance`, async () => {
    const identity = await createTestIdentity(EVERY_FORM)
    const spellings = Array.from({ length: 200 }, (_, n) => spelling(n))
    for (const email of spellings.slice(0, taken)) await identity.user(email)
    const statuses = new Set<number>()
    for (const [n, email] of spellings.entries()) {
      const browser = identity.browser()
      browser.address = ADDRESS
      const answer = await FORMS[n % FORMS.length]?.(browser, email)
      if (answer) statuses.add(answer.status)
    }
    const { length } = await identity.listMails(1000)
    assert.ok(length > 0 && length <= ALLOWANCE, String(length))
    assert.ok(statuses.has(429))
  })
}

test('SEC-70 known devices get no more emails to an unverified address', async () => {
  const identity = await createTestIdentity()
  for (let n = 0; n < 5; n++) {
    const browser = identity.browser()
    browser.address = ADDRESS
    assert.equal((await browser.register(spelling(n))).status, 200)
    browser.cookies.delete('ory_kratos_session')
    for (let times = 0; times < 10; times++) await FORMS[times % 2]?.(browser, spelling(n))
  }
  assert.equal((await identity.listMails(1000)).length, ALLOWANCE)
})

test('SEC-70 spellings of a phone number share one allowance', async () => {
  const identity = await createTestIdentity(merge(FEW, PHONES))
  const spellings = [
    '+14155552671',
    '+1 415 555 2671',
    '+1-415-555-2671',
    '+1 (415) 555.2671',
    '+1/415/5552671',
  ]
  for (const phone of spellings) {
    const browser = identity.browser()
    await browser.submit(await browser.open('verification'), { method: 'code', email: phone })
  }
  assert.equal((await identity.listMails(1000)).length, 0)
  await identity.admin('POST', '/admin/identities', { traits: { phone: spellings[0] } })
  identity.advance(3 * 3_600_000)
  for (const phone of spellings) {
    const browser = identity.browser()
    await browser.submit(await browser.open('verification'), { method: 'code', email: phone })
  }
  assert.equal((await identity.listMails(1000)).length, 2)
})

test('SEC-70 counts each address of a registration', async () => {
  const identity = await createTestIdentity(merge(MANY_ADDRESSES, { limits: { mail: { client: CLIENT } } }))
  const browser = identity.browser()
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) {
    const emails = [0, 1, 2].map((one) => `user${n}-${one}@example.com`)
    const flow = await browser.open('registration')
    statuses.push((await browser.submit(flow, { method: 'code', traits: { emails } })).status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 429])
  assert.equal((await identity.listMails(100)).length, 9)
})

for (const [name, config] of [
  ['waits for its code', WAITS],
  ['takes effect at once', {}],
] as const) {
  testOnEach(`SEC-71 where a new address ${name}, a user sends ten emails`, async () => {
    const identity = await createTestIdentity(config)
    const browser = await identity.signedIn(ADA)
    const answers: Answer[] = []
    for (let n = 0; n < 30; n++) answers.push(await change(browser, `victim${n}@example.com`))
    const sent = (await identity.listMails(1000)).filter(({ recipient }) => recipient.startsWith('victim'))
    assert.equal(sent.length, OWN)
    const [last] = answers.slice(-1)
    assert.deepEqual([last?.status, last && messageIds(last)], [429, [TOO_MANY]])
    assert.equal(last && nodeOf(last, 'traits.email')?.value, 'victim29@example.com')
    const password = 'another horse 7 battery'
    const changed = await browser.submit(await browser.open('settings'), { method: 'password', password })
    assert.equal(changed.status, 200)
  })
}

test('SEC-71 taken and free addresses count alike against their sender', async () => {
  const seen: unknown[] = []
  for (const email of ['new@example.com', EVE]) {
    const identity = await createTestIdentity(merge(WAITS, FEW))
    await identity.user(EVE)
    const browser = await identity.signedIn(ADA)
    const answers = [await change(browser, email), await change(browser, email), await change(browser, email)]
    const other = await change(browser, 'other@example.com')
    seen.push([...answers, other].map((answer) => [answer.status, messageIds(answer)]))
    assert.equal((await identity.mails(email)).length, 2)
  }
  assert.deepEqual(seen[0], seen[1])
})

test('SEC-71 codes for a pending address count on every device', async () => {
  const identity = await createTestIdentity(merge(WAITS, mailLimit(3)))
  const browser = await identity.signedIn(ADA)
  const email = 'victim@example.com'
  const form = await formOf(browser, await change(browser, email))
  const statuses = [(await browser.submit(form, { method: 'code', email })).status]
  const settings = await browser.open('settings')
  statuses.push((await browser.submit(settings, { method: 'profile', pending_address: 'resend' })).status)
  statuses.push((await browser.submit(form, { method: 'code', email })).status)
  const elsewhere = identity.browser()
  await elsewhere.signIn(ADA, PASSWORD)
  statuses.push((await change(elsewhere, 'other@example.com')).status)
  assert.deepEqual(statuses, [200, 200, 429, 429])
  assert.equal((await identity.mails(email)).length, 3)
})

const CLIENT = { burst: 9, refill: '1h' }

const MANY_ADDRESSES = {
  selfservice: { methods: { code: { passwordless_enabled: true } } },
  identity: {
    schemas: [
      {
        id: 'default',
        schema: schemaWith({
          emails: { type: 'array', items: userSchema.properties.traits.properties.email },
        }),
      },
    ],
  },
}

const PHONES = {
  identity: {
    schemas: [
      {
        id: 'default',
        schema: schemaWith({
          phone: {
            type: 'string',
            format: 'tel',
            'ory.sh/kratos': {
              credentials: { password: { identifier: true } },
              verification: { via: 'sms' },
            },
          },
        }),
      },
    ],
  },
  courier: {
    channels: [{ id: 'sms', type: 'http', request_config: { url: 'http://127.0.0.1:9/', method: 'POST' } }],
  },
}

function schemaWith(properties: object): Merge {
  return {
    ...userSchema,
    properties: { traits: { type: 'object', properties, additionalProperties: false } },
  }
}

function mailLimit(burst: number) {
  const limit = { burst, refill: '1h' }
  return { limits: { mail: { account: limit, own: limit, allowance: 'off' } } }
}

function spelling(n: number): string {
  const domain = n % 2 === 0 ? 'gmail.com' : 'GoogleMail.com'
  return `${['A.da', 'ada', 'a.D.a', 'AD.A'][n % 4]}+${n}@${domain}`
}

async function change(browser: Browser, email: string): Promise<Answer> {
  return await browser.submit(await browser.open('settings'), { method: 'profile', traits: { email } })
}

async function formOf(browser: Browser, saved: Answer) {
  return await browser.get(`/self-service/verification/flows?id=${verificationIn(saved)?.id}`)
}
