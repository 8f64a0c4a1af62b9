import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds, verificationIn } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, merge, VERIFIED_ONLY } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

const TOO_MANY = 4290001

interface CodeForm {
  readonly name: string
  readonly kind: 'recovery' | 'verification' | 'login' | 'registration'
  readonly asks: object
  readonly asksAgain?: object
  readonly along: object
}

const traits = { email: ADA }
const CODE_FORMS: readonly CodeForm[] = [
  { name: 'recovery', kind: 'recovery', asks: { email: ADA }, along: {} },
  { name: 'verification', kind: 'verification', asks: { email: ADA }, along: {} },
  {
    name: 'sign-in',
    kind: 'login',
    asks: { identifier: ADA },
    asksAgain: { identifier: ADA, resend: 'code' },
    along: { identifier: ADA },
  },
  {
    name: 'registration',
    kind: 'registration',
    asks: { traits },
    asksAgain: { traits, resend: 'code' },
    along: { traits },
  },
]
const ONE_EMAIL = {
  limits: { mail: { account: { burst: 1, refill: '1h' }, own: 'off', allowance: 'off' } },
  selfservice: { methods: { code: { passwordless_enabled: true } } },
}

for (const { name, kind, asks, asksAgain = asks, along } of CODE_FORMS) {
  test(`a ${name}'s code works after the email limit refuses another`, async () => {
    const identity = await createTestIdentity(ONE_EMAIL)
    if (kind !== 'registration') await identity.user(ADA)
    for (const caller of [identity.browser(), identity.app()]) {
      const form = await caller.submit(await caller.open(kind), { method: 'code', ...asks })
      const refused = await caller.submit(form, { method: 'code', ...asksAgain })
      assert.deepEqual([refused.status, messageIds(refused).at(-1)], [429, TOO_MANY])
      assert.equal(refused.body.state, 'sent_email')
      assert.deepEqual(fieldsOf(refused), fieldsOf(form))
      const code = await identity.code(ADA)
      const done: Answer = await caller.submit(refused, { method: 'code', ...along, code })
      assert.ok(done.status === 200 || done.status === 422, String(done.status))
      identity.advance(2 * 3_600_000)
      if (kind === 'registration') break
    }
  })
}

test("a second factor's code works after the email limit refuses another", async () => {
  const config = { selfservice: { methods: { code: { mfa_enabled: true } } }, limits: ONE_EMAIL.limits }
  const identity = await createTestIdentity(config)
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  const refused = await browser.submit(form, { method: 'code', identifier: ADA, resend: 'code' })
  assert.deepEqual([refused.status, messageIds(refused).at(-1)], [429, TOO_MANY])
  assert.deepEqual(fieldsOf(refused), fieldsOf(form))
  const done = await browser.submit(refused, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.status, 200)
})

function fieldsOf({ body }: FlowAnswer): string[] {
  return body.ui.nodes
    .flatMap(({ attributes }) => {
      if (!('name' in attributes) || attributes.name === 'csrf_token') return []
      return [`${attributes.name} ${attributes.type} ${attributes.value ?? ''}`]
    })
    .sort()
}

test('the code form announces a withheld code, for any address', async () => {
  const config = merge(VERIFIED_ONLY, {
    security: { account_enumeration: { mitigate: true } },
    limits: ONE_EMAIL.limits,
  })
  for (const isTaken of [false, true]) {
    const identity = await createTestIdentity(config)
    if (isTaken) await identity.user(ADA)
    const browser = identity.browser()
    const forms: Answer[] = []
    for (let times = 0; times < 2; times += 1)
      forms.push(await formAfter(browser, await browser.register(ADA)))
    assert.deepEqual(forms.map(messageIds), [[1080003], [TOO_MANY]])
    assert.deepEqual(
      forms.map(({ body }) => body.state),
      ['sent_email', 'sent_email'],
    )
    assert.equal((await identity.mails(ADA)).length, 1)
  }
})

async function formAfter(browser: Browser, registered: Answer): Promise<FlowAnswer> {
  return await browser.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
}
