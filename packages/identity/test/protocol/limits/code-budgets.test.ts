import assert from 'node:assert/strict'
import { type Answer, messageIds } from '../../../src/testing/answers.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity, SHARED_LIMITS, type TestIdentity } from '../../kit/kit.ts'
import { ADA, letsIn, other } from '../../kit/recovery-kit.ts'

const HOUR_MS = 3_600_000
const NO_ACCOUNT = 'eve@example.com'
const TOO_MANY = 4290001

test('SEC-03 an address gets ten codes an hour over all forms', async () => {
  const identity = await createTestIdentity({ limits: SHARED_LIMITS })
  await identity.user(ADA)
  const sent: number[] = []
  for (let n = 0; n < 60; n++) {
    const kind = n % 2 === 0 ? 'recovery' : 'verification'
    const caller = n % 3 === 0 ? identity.app() : identity.browser()
    const before = (await identity.mails(ADA)).length
    const form = await caller.submit(await caller.open(kind), { method: 'code', email: ADA })
    const isSent = (await identity.mails(ADA)).length > before
    assert.equal(form.status, isSent ? 200 : 429)
    if (isSent) sent.push(identity.now().getTime())
    identity.advance(4 * 60_000)
  }
  const inAnHour = sent.map((at) => sent.filter((one) => one >= at && one < at + HOUR_MS).length)
  assert.ok(Math.max(...inAnHour) <= 10, String(inAnHour))
})

test('SEC-03 an address gets ten guesses over all forms, then a wait', async () => {
  const identity = await createTestIdentity({ limits: SHARED_LIMITS })
  await identity.user(ADA)
  const statuses = (await guess(identity, ADA)).map(({ status }) => status)
  assert.deepEqual(statuses, [
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 10 }, () => 429),
  ])
})

// The forms that email a code ask for six within a minute, counting script, page and app
// (docs/limits.md).
test('FLT-28 hundreds of forms send ten emails per address, a hundred per client', async () => {
  const identity = await createTestIdentity({ limits: SHARED_LIMITS })
  await identity.user(ADA)
  const kinds = ['recovery', 'verification'] as const
  const statuses: number[] = []
  for (let n = 0; n < 200; n++) {
    const caller = identity.app()
    const form = await caller.submit(await caller.open(kinds[n % 2] ?? 'recovery'), {
      method: 'code',
      email: ADA,
    })
    statuses.push(form.status)
  }
  assert.deepEqual(
    [statuses.filter((status) => status === 200).length, (await identity.mails(ADA)).length],
    [10, 10],
  )
  const bomber = identity.app()
  let sent = 0
  for (let n = 0; n < 120; n++) {
    const flow = await bomber.open(kinds[n % 2] ?? 'recovery')
    const form = await bomber.submit(flow, { method: 'code', email: `user${n}@example.com` })
    sent += form.status === 200 ? 1 : 0
  }
  assert.equal(sent, 100)
})

test('FLT-28 an operator may allow five emails an hour', async () => {
  const identity = await createTestIdentity({
    limits: { mail: { account: { burst: 5, refill: '1h' }, allowance: 'off' } },
  })
  await identity.user(ADA)
  for (let n = 0; n < 60; n++) {
    const app = identity.app()
    await app.submit(await app.open('recovery'), { method: 'code', email: ADA })
    identity.advance(59_000)
  }
  assert.equal((await identity.mails(ADA)).length, 5)
})

test("SEC-46 other clients' guesses never block a correct code", async () => {
  const identity = await createTestIdentity({ limits: SHARED_LIMITS })
  await identity.user(ADA)
  const owner = identity.browser()
  const form = await owner.submit(await owner.open('recovery'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  const answers = await guess(identity, ADA)
  assert.equal(answers.at(-1)?.status, 429)
  assert.ok(letsIn(await owner.submit(form, { code })))
})

test('SEC-124 a client who has guessed too often gets the same answer to a right code', async () => {
  const identity = await createTestIdentity({
    limits: { code: { client: { burst: 5, refill: '1h' } } },
    selfservice: { methods: { code: { passwordless_enabled: true } } },
  })
  for (const [kind, field] of [
    ['recovery', 'email'],
    ['verification', 'email'],
    ['login', 'identifier'],
  ] as const) {
    const app = identity.app()
    const guessAt = async (email: string, change: (code: string) => string) => {
      await identity.user(email)
      const form = await app.submit(await app.open(kind), { method: 'code', [field]: email })
      const code = change(await identity.code(email))
      const along = kind === 'login' ? { identifier: email } : {}
      const answer = () => app.submit(form, { method: 'code', ...along, code })
      return { first: await answer(), answer }
    }
    for (let n = 0; n < 5; n += 1) await guessAt(`${kind}${n}@example.com`, other)
    const wrong = await guessAt(`${kind}5@example.com`, other)
    const right = await guessAt(`${kind}6@example.com`, (code) => code)
    assert.deepEqual(
      [wrong.first, right.first].map((answer) => [answer.status, messageIds(answer).at(-1)]),
      [429, 429].map((status) => [status, TOO_MANY]),
    )
    app.address = '203.0.113.77'
    assert.match(`${(await right.answer()).status}`, /200|422/)
  }
})

testOnEach("SEC-04 parallel guesses cannot exceed a form's allowance", async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.submit(await app.open('recovery'), { method: 'code', email: ADA })
  const code = other(await identity.code(ADA))
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.submit(form, { code })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  assert.equal(letsIn(await app.submit(form, { code: await identity.code(ADA) })), false)
})

test('SEC-13 limits addresses with and without an account alike', async () => {
  const seen = []
  for (const email of [ADA, NO_ACCOUNT]) {
    const identity = await createTestIdentity({ limits: SHARED_LIMITS })
    await identity.user(ADA)
    const guesses = await guess(identity, email)
    const mails = []
    for (let n = 0; n < 3; n++) {
      const browser = identity.browser()
      mails.push(await browser.submit(await browser.open('recovery'), { method: 'code', email }))
    }
    seen.push([...guesses, ...mails].map((answer) => [answer.status, messageIds(answer)]))
  }
  assert.deepEqual(seen[0], seen[1])
  assert.ok(JSON.stringify(seen).includes(`[429,[${TOO_MANY}]]`))
})

/** Five wrong codes in each of four forms, from a client address per form. */
async function guess(identity: TestIdentity, email: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < 4; n++) {
    const app = identity.app()
    const form = await app.submit(await app.open('recovery'), { method: 'code', email })
    const mailed = (await identity.mails(email)).length > 0
    const code = mailed ? other(await identity.code(email)) : '000000'
    for (let tries = 0; tries < 5; tries++) answers.push(await app.submit(form, { code }))
  }
  return answers
}
