// SEC-117. A user proved one address of an account. Another one, which only they entered, is not proven with it.
import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { testOnEach as test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA, EVE, letsIn } from '../../kit/recovery-kit.ts'

const EMAIL = {
  type: 'string',
  format: 'email',
  'ory.sh/kratos': {
    verification: { via: 'email' },
    recovery: { via: 'email' },
    credentials: { password: { identifier: true }, code: { identifier: true, via: 'email' } },
  },
}

const PROOFS = {
  recovery: { method: 'code', email: ADA },
  login: { method: 'code', identifier: ADA },
  verification: { method: 'code', email: ADA },
} as const

for (const [kind, asked] of Object.entries(PROOFS)) {
  const prove = async (identity: TestIdentity, browser: Browser) => {
    const form = await browser.submit(await browser.open(kind as keyof typeof PROOFS), asked)
    const code = await identity.code(ADA)
    const identifier = kind === 'login' ? ADA : undefined
    return await browser.submit(form, { method: 'code', code, identifier })
  }

  test(`SEC-117 a ${kind} does not lead an owner into the account of a user who entered their address`, async () => {
    const { identity, eve } = await planted()
    const ada = identity.browser()
    const refused = await prove(identity, ada)
    assert.deepEqual([refused.status, messageIds(refused).at(-1)], [400, 4050902])
    assert.equal(letsIn(refused), false)
    assert.equal((await ada.whoami()).status, 401)
    assert.deepEqual(await verifiedOf(eve), [EVE])
  })
}

test('SEC-117 the user verifies the other address in a session, or where they registered', async () => {
  for (const signsIn of [true, false]) {
    const { identity, eve } = await planted()
    const browser = signsIn ? identity.browser() : eve
    if (signsIn) await browser.signIn(EVE)
    await verify(identity, browser, ADA)
    assert.deepEqual(await verifiedOf(eve), [EVE, ADA])
  }
})

test('SEC-117 the only verified address recovers its account anywhere', async () => {
  const { identity } = await planted()
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: EVE })
  assert.ok(letsIn(await browser.submit(form, { method: 'code', code: await identity.code(EVE) })))
})

/** Eve registered with Ada's address, too, and verified her own. */
async function planted(): Promise<{ identity: TestIdentity; eve: Browser }> {
  const properties = { email: EMAIL, emails: { type: 'array', items: EMAIL } }
  const schema = { ...userSchema, properties: { traits: { type: 'object', properties } } }
  const identity = await createTestIdentity({
    selfservice: { methods: { code: { passwordless_enabled: true } } },
    identity: { schemas: [{ id: 'default', schema }] },
  })
  const eve = identity.browser()
  const traits = { email: EVE, emails: [ADA] }
  const values = { method: 'password', password: PASSWORD, traits }
  assert.equal((await eve.submit(await eve.open('registration'), values)).status, 200)
  await verify(identity, eve, EVE)
  return { identity, eve }
}

async function verify(identity: TestIdentity, browser: Browser, email: string): Promise<void> {
  const form = await browser.submit(await browser.open('verification'), { method: 'code', email })
  const done = await browser.submit(form, { method: 'code', code: await identity.code(email) })
  assert.equal(done.body.state, 'passed_challenge')
}

async function verifiedOf(browser: Browser): Promise<string[]> {
  const { verifiable_addresses } = (await browser.whoami()).body.identity
  const verified = verifiable_addresses.filter(({ verified }: { verified: boolean }) => verified)
  return verified.map(({ value }: { value: string }) => value).sort((one: string) => (one === EVE ? -1 : 1))
}
