import assert from 'node:assert/strict'
import { type Answer, messageIds, verificationIn } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, merge, type TestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'
import { enter, PASSKEYS, register } from '../../kit/passkeys.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'
import { until } from '../../kit/until.ts'
import { byCode, loginAfter } from '../../servers/planted-kit.ts'

const OWN = 'own@example.com'
const PLANTED = 'planted horse 5 battery'
const HIDING = merge(VERIFIED_ONLY, {
  security: { account_enumeration: { mitigate: true } },
  selfservice: { flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } } },
})

/** Returns what `look` sees of a free address and of a taken one. The attacker registers both with `PLANTED`. */
async function seenOfBoth(
  look: (identity: TestIdentity, email: string, own: Browser) => Promise<unknown>,
  config = {},
) {
  const identity = await createTestIdentity(merge(HIDING, config))
  await identity.user(EVE)
  const own = await identity.signedIn(OWN)
  const seen = []
  for (const email of [ADA, EVE]) {
    await identity.browser().register(email, PLANTED)
    seen.push(await look(identity, email, own.twin()))
  }
  return seen
}

const answerOf = ({ status, body }: Answer) => [status, body?.error?.id, messageIds({ body } as Answer)]

test("SEC-13 an empty form of another browser's verification reveals no account", async () => {
  const [free, taken] = await seenOfBoth(async (identity, email, own) => {
    const registered = await identity.browser().register(email, PLANTED)
    const changed = await own.submit(await own.open('settings'), { method: 'profile', traits: { email } })
    const seen = []
    for (const answer of [registered, changed]) {
      const id = verificationIn(answer)?.id
      seen.push(
        answerOf(await identity.browser().send('POST', `/self-service/verification?flow=${id}`, '', {})),
      )
    }
    return seen
  })
  assert.deepEqual(taken, free)
})

/** Submits a form that its user opened to re-authenticate. */
async function reauthenticate(own: Browser, values: object): Promise<Answer> {
  return await own.submit(await own.open('login', '?refresh=true'), values)
}

function withoutSession(browser: Browser): Browser {
  for (const name of browser.cookies.keys()) if (name.includes('session')) browser.cookies.delete(name)
  return browser
}

for (const [holder, prepare] of Object.entries({
  'a session': (b: Browser) => b,
  'no session': withoutSession,
}))
  test(`SEC-13 a form to re-authenticate with ${holder} reveals no other account`, async () => {
    const [free, taken] = await seenOfBoth(async (identity, email, own) => {
      const form = await own.open('login', '?refresh=true')
      const answer = await prepare(own).submit(form, {
        method: 'password',
        identifier: email,
        password: PLANTED,
      })
      return [answerOf(answer), (await identity.mails(email)).length]
    })
    assert.deepEqual(taken, free)
    assert.deepEqual((free as unknown[])[0], [400, undefined, [4000006]])
  })

test("SEC-127 a form to re-authenticate does not confirm another user's password", async () => {
  const identity = await createTestIdentity({})
  await identity.user(ADA)
  const own = await identity.signedIn(OWN)
  const seen = []
  for (const password of [PASSWORD, 'not this one at all']) {
    seen.push(answerOf(await reauthenticate(own, { method: 'password', identifier: ADA, password })))
    // Its owner sees the first already, and repeated ones once.
    await until(async () => (await refusals(identity, ADA, 'sign_in')) === 1)
  }
  assert.deepEqual(seen[0], seen[1])
})

async function refusals({ admin }: TestIdentity, email: string, of: string): Promise<number> {
  const [{ id }] = (await admin('GET', `/admin/identities?credentials_identifier=${email}`)).body
  const events: { event: string; outcome: string }[] = (await admin('GET', `/admin/identities/${id}/events`))
    .body
  return events.filter(({ event, outcome }) => event === of && outcome === 'refused').length
}

test("SEC-127 a verification that waits for its account's login confirms no other password", async () => {
  const identity = await createTestIdentity(HIDING)
  await identity.user(EVE)
  await identity.browser().register(ADA)
  const elsewhere = identity.browser()
  const login = await loginAfter(elsewhere, await byCode(identity, elsewhere, 'verification'))
  const seen = []
  for (const password of [PASSWORD, 'not this one at all'])
    seen.push(answerOf(await elsewhere.submit(login, { method: 'password', identifier: EVE, password })))
  assert.deepEqual(seen[0], seen[1])
})

test('SEC-13 a passkey with a wrong signature reveals no account', async () => {
  const identity = await createTestIdentity(merge(HIDING, PASSKEYS))
  await identity.user(EVE)
  const seen = []
  for (const email of [ADA, EVE]) {
    const key = new Authenticator()
    await register(identity.browser(), key, email)
    const { challenge } = optionsIn(await identity.browser().open('login'), 'passkey_challenge').publicKey
    seen.push(answerOf(await enter(identity.browser(), key, { challenge })))
  }
  assert.deepEqual(seen[0], seen[1])
})

test("SEC-13 wrong codes for a new address are not in the user's activity", async () => {
  const [free, taken] = await seenOfBoth(async (identity, email, own) => {
    const saved = await own.submit(await own.open('settings'), { method: 'profile', traits: { email } })
    const form = await own.get(`/self-service/verification/flows?id=${verificationIn(saved)?.id}`)
    await own.submit(form, { method: 'code', code: '000000' })
    // Recorded after it.
    await identity.app().signIn(OWN, `not ${email}`)
    await until(async () => (await refusals(identity, OWN, 'sign_in')) > 0)
    return await refusals(identity, OWN, 'code_guessed')
  })
  assert.deepEqual(taken, free)
})

test('SEC-19 another site cannot submit an emailed code', async () => {
  const identity = await createTestIdentity({})
  const identity_id = (await (await identity.signedIn(ADA)).whoami()).body.identity.id
  const made = (await identity.admin('POST', '/admin/recovery/code', { identity_id })).body
  const flow = new URL(made.recovery_link).searchParams.get('flow')
  const victim = identity.browser()
  const fields = { method: 'code', code: made.recovery_code }
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const refused = await victim.post(`/self-service/recovery?flow=${flow}`, fields, foreign)
  assert.equal(refused.headers.getSetCookie().length, 0)
  assert.equal((await victim.whoami()).status, 401)
  const used = await victim.post(`/self-service/recovery?flow=${flow}`, fields)
  assert.equal(used.status, 303)
  assert.notEqual(used.headers.getSetCookie().length, 0)
})
