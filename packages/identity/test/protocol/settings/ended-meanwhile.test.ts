// A change of an account needs a session that is still active when the change is stored (SEC-95). A web hook runs
// between the two.
import assert from 'node:assert/strict'
import { type FlowAnswer, verificationIn } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, testOnEach as test } from '../../kit/databases.ts'
import { addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type Merge, merge, type TestIdentity } from '../../kit/kit.ts'
import { add, enter, PASSKEYS } from '../../kit/passkeys.ts'
import { ADA, EVE, letsIn, undoChange } from '../../kit/recovery-kit.ts'
import { until } from '../../kit/until.ts'

interface Scene {
  readonly identity: TestIdentity
  readonly id: string
  readonly thief: Browser
}

const CHANGES: Record<string, (scene: Scene) => Promise<unknown>> = {
  'the owner recovers the account': ({ identity }) => recover(identity),
  'an operator ends the sessions': ({ identity, id }) =>
    identity.admin('DELETE', `/admin/identities/${id}/sessions`),
  'the account is disabled': ({ identity, id }) =>
    identity.admin('PATCH', `/admin/identities/${id}`, [
      { op: 'replace', path: '/state', value: 'inactive' },
    ]),
  'the owner adds a second factor': async ({ identity }) => {
    const owner = identity.browser()
    await owner.signIn(ADA)
    await addTotp(identity, owner)
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`SEC-95 a thief's session adds no passkey once ${name}`, async () => {
    const { identity, meanwhile } = await interrupted()
    const { id, thief } = await robbed(identity)
    const form = await thief.open('settings')
    const passkey_settings_register = new Authenticator().create(optionsIn(form, 'passkey_create_data'))
    meanwhile.run = () => change({ identity, id, thief })
    const { status } = await thief.submit(form, { passkey_settings_register })
    assert.ok(status === 401 || status === 403, String(status))
    assert.deepEqual(await passkeysOf(identity, id), [])
  })
}

test('SEC-95 a session that ended meanwhile is not confirmed', async () => {
  const { identity, meanwhile } = await interrupted()
  const { id, thief } = await robbed(identity)
  const form = await thief.open('login', '?refresh=true')
  meanwhile.run = () => identity.admin('DELETE', `/admin/identities/${id}/sessions`)
  const answer = await thief.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.deepEqual([answer.status < 500, letsIn(answer)], [true, false])
  assert.equal((await thief.whoami()).status, 401)
})

test("SEC-95 a second factor removed meanwhile does not come back with the session's confirmation", async () => {
  const { identity, meanwhile } = await interrupted()
  const { id, thief: owner } = await robbed(identity)
  await addTotp(identity, owner)
  const form = await owner.open('login', '?refresh=true')
  meanwhile.run = () => identity.admin('DELETE', `/admin/identities/${id}/credentials/totp`)
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  assert.equal((await owner.submit(form, values)).status, 200)
  assert.equal((await owner.whoami()).body.authenticator_assurance_level, 'aal1')
})

test('SEC-94 a sign-in with a planted passkey does not outlive an undone change of address', async () => {
  const { identity, meanwhile } = await interrupted()
  const { id, thief } = await robbed(identity)
  const key = new Authenticator()
  assert.equal((await add(thief, key)).status, 200)
  await changeAddress(identity, thief)
  meanwhile.run = () => undoChange(identity, ADA)
  const browser = identity.browser()
  const answer = await enter(browser, key, SYNCED)
  assert.deepEqual([answer.status < 500, letsIn(answer)], [true, false])
  for (const one of [thief, browser]) assert.equal((await one.whoami()).status, 401)
  assert.deepEqual(await passkeysOf(identity, id), [])
})

test('SEC-94 of a loop of such sign-ins at two replicas no session remains', async () => {
  const dsn = await newDsn({ shared: true })
  const replicas = [await createTestIdentity(configOf(dsn)), await createTestIdentity(configOf(dsn))] as const
  const [identity] = replicas
  const { id, thief } = await robbed(identity)
  const key = new Authenticator()
  assert.equal((await add(thief, key)).status, 200)
  await changeAddress(identity, thief)
  const browsers: Browser[] = []
  let ended = false
  const signInAgainAndAgain = async (replica: TestIdentity) => {
    while (!ended) {
      const browser = replica.browser()
      if ((await enter(browser, key, SYNCED)).status === 200) browsers.push(browser)
    }
  }
  const loops = [...replicas, ...replicas, ...replicas].map(signInAgainAndAgain)
  await until(() => browsers.length > 5)
  await undoChange(identity, ADA)
  ended = true
  await Promise.all(loops)
  for (const browser of browsers) assert.equal((await browser.whoami()).status, 401)
  assert.deepEqual(await passkeysOf(identity, id), [])
})

/** Passkeys of several devices have no counter. */
const SYNCED = { counter: 0 }

/** The service answers its web hook once `meanwhile` has run. */
async function interrupted() {
  const meanwhile: { run?: (() => Promise<unknown>) | undefined } = {}
  const answering: typeof fetch = async () => {
    const { run } = meanwhile
    meanwhile.run = undefined
    await run?.()
    return Response.json({})
  }
  const config = { url: 'http://hook.test/', method: 'POST', body: () => ({}), can_interrupt: true }
  const hooks = { hooks: [{ hook: 'web_hook', config }] }
  const flows = {
    settings: { after: { passkey: hooks } },
    login: { after: { password: hooks, passkey: hooks } },
  }
  const overrides = merge(configOf(await newDsn({ shared: true })), { selfservice: { flows } })
  return { identity: await createTestIdentity(overrides, { fetch: answering }), meanwhile }
}

function configOf(dsn: string): Merge {
  const flows = {
    settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } },
    recovery: { after: { hooks: [{ hook: 'revoke_active_sessions' }] } },
  }
  return merge(merge(PASSKEYS, SECOND_FACTORS), { dsn, selfservice: { flows } })
}

/** A thief's session, while the owner has the mailbox. */
async function robbed(identity: TestIdentity) {
  await identity.user(ADA)
  const thief = identity.browser()
  const { session } = (await thief.signIn(ADA)).body as { readonly session: { identity: { id: string } } }
  return { id: session.identity.id, thief }
}

async function recover(identity: TestIdentity): Promise<void> {
  const owner = identity.browser()
  const form = await owner.submit(await owner.open('recovery'), { method: 'code', email: ADA })
  const done = await owner.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.equal(letsIn(done), true)
}

async function changeAddress(identity: TestIdentity, browser: Browser): Promise<void> {
  const change = { method: 'profile', traits: { email: EVE } }
  const saved = await browser.submit(await browser.open('settings'), change)
  const id = verificationIn(saved)?.id
  const form: FlowAnswer = await browser.get(`/self-service/verification/flows?id=${id}`)
  const done = await browser.submit(form, { method: 'code', code: await identity.code(EVE) })
  assert.equal(done.body.state, 'passed_challenge')
}

async function passkeysOf(identity: TestIdentity, id: string): Promise<string[]> {
  const { body } = await identity.admin('GET', `/admin/identities/${id}`)
  return Object.keys(body.credentials ?? {}).filter((type) => type === 'passkey')
}
