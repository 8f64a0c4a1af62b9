import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FlowAnswer } from '../answers.ts'
import { tokenOf } from '../answers.ts'
import { test, testOn } from '../databases.ts'
import type { TestIdentity } from '../kit.ts'
import { createTestIdentity } from '../kit.ts'
import { BY_LINK } from '../recovery-kit.ts'

/** Addresses of one length, so that answers have one length too. */
const PEOPLE = {
  'has an account': 'known1@example.com',
  'has none': 'nobody@example.com',
  'has not proven it': 'unsure@example.com',
  'was switched off': 'closed@example.com',
  'has no password': 'social@example.com',
}

for (const kind of ['recovery', 'verification'] as const) {
  for (const method of ['code', 'link'] as const) {
    test(`SEC-13 a ${kind} by ${method} answers whoever has the address all the same`, async () => {
      const identity = await town(method === 'link' ? BY_LINK : {})
      const answers = []
      for (const email of Object.values(PEOPLE)) {
        const browser = identity.browser()
        const form = await browser.open(kind)
        const sent = await browser.submit(form, { method, email })
        const guessed = await browser.submit(sent, {
          method,
          code: 'abcdef',
          ...(method === 'link' ? { email } : {}),
        })
        const page = await browser.post(form.body.ui.action, {
          csrf_token: String(tokenOf(form)),
          method,
          email,
        })
        const fetched = (await browser.get(`/self-service/${kind}/flows?id=${form.body.id}`)) as FlowAnswer
        answers.push([sent, guessed, page, fetched].map((answer) => shapeOf(answer, email)))
      }
      for (const answer of answers) assert.deepEqual(answer, answers[0])
    })
  }
}

test('SEC-07 mails go to stored addresses only, byte for byte, whatever was typed', async () => {
  const identity = await createTestIdentity()
  const stored = ['kelly@example.com', 'iris@example.com', 'strasse@example.com', 'office@example.com']
  for (const email of stored) await identity.admin('POST', '/admin/identities', { traits: { email } })
  for (const typed of [...stored.flatMap(lookalikes)]) await ask(identity, typed)
  const sentTo = (await identity.listMails(1000)).map(({ recipient }) => recipient)
  assert.ok(sentTo.length > 0, 'the plain spellings were sent')
  assert.deepEqual(
    sentTo.filter((recipient) => !stored.includes(recipient)),
    [],
  )
})

testOn('SQLite', 'SEC-07 the same for ten thousand addresses out of lookalike letters', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: { recovery: { lifespan: '24h' } } } })
  const stored = 'kiss@example.com'
  await identity.admin('POST', '/admin/identities', { traits: { email: stored } })
  const letters = fc.constantFrom(...'kisKISßıİſﬁﬆｋ', '\u212a', '.', '@', '\uff20')
  const local = fc.oneof(fc.constant('kiss'), fc.string({ unit: letters, minLength: 1, maxLength: 5 }))
  const domain = fc.constantFrom('example.com', 'EXAMPLE.com', 'exampl\uff45.com', 'example\u3002com')
  const app = identity.app()
  const form = await app.open('recovery')
  for (const [left, right] of fc.sample(fc.tuple(local, domain), 10_000)) {
    await app.submit(form, { method: 'code', email: `${left}@${right}` })
  }
  const sentTo = new Set((await identity.listMails(1000)).map(({ recipient }) => recipient))
  assert.deepEqual([...sentTo], [stored])
})

/** GitHub's dotless ı and its kin: each letter in turn, in either part of the address. */
function lookalikes(email: string): string[] {
  const kin: readonly [string, string][] = [
    ['ss', 'ß'],
    ['i', 'ı'],
    ['i', 'İ'],
    ['s', 'ſ'],
    ['ff', 'ﬀ'],
    ['fi', 'ﬁ'],
    ['ffi', 'ﬃ'],
    ['fl', 'ﬂ'],
    ['st', 'ﬆ'],
    ['st', 'ﬅ'],
    ['k', '\u212a'],
    ['@', '\uff20'],
    ['e', 'ｅ'],
    ['.', '。'],
  ]
  const [local = '', domain = ''] = email.split('@')
  return [
    email,
    email.toUpperCase(),
    ` ${email}`,
    ...kin.flatMap(([from, to]) => [
      email.replaceAll(from, to),
      `${local.replaceAll(from, to)}@${domain}`,
      `${local}@${domain.replaceAll(from, to)}`,
    ]),
  ]
}

async function ask(identity: TestIdentity, email: string): Promise<void> {
  const app = identity.app()
  for (const kind of ['recovery', 'verification'] as const) {
    await app.submit(await app.open(kind), { method: 'code', email })
  }
  // Another day: the budget of an address is not what holds mails back here.
  identity.advance(2 * 3_600_000)
}

async function town(overrides: Parameters<typeof createTestIdentity>[0]): Promise<TestIdentity> {
  const identity = await createTestIdentity(overrides)
  const make = (email: string, more: object = {}) =>
    identity.admin('POST', '/admin/identities', { traits: { email }, ...more })
  await identity.person(PEOPLE['has an account'])
  const credentials = { password: { config: { password: 'correct horse 9 battery' } } }
  await make(PEOPLE['has not proven it'], { credentials })
  await make(PEOPLE['was switched off'], { credentials, state: 'inactive' })
  await make(PEOPLE['has no password'])
  return identity
}

/** An answer without what differs from one request to the next. */
function shapeOf({ status, headers, location, body }: FlowAnswer, email: string) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const masked = text
    .replaceAll(email, 'somebody')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/"csrf_token","type":"hidden","value":"[^"]{88}"/, 'token')
  return {
    status,
    names: [...headers.keys()],
    cookies: headers.getSetCookie().length,
    location: location?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'id'),
    length: text.length,
    masked,
  }
}
