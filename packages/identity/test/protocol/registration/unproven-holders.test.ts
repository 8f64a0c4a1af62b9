import assert from 'node:assert/strict'
import { type FlowAnswer, verificationIn } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'
import { formOf as formAt, GRACE, signInWith, withAcme } from '../../servers/oidc-kit.ts'

const NEW = 'grace@example.com'
const FLOWS = { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } }

test('SEC-76 a code claims an unproven address', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: FLOWS } })
  const holder = await squatter(identity)
  const { browser, prove } = await claim(identity, ADA)
  assert.equal((await holder.whoami()).status, 200)
  assert.equal((await prove()).body.state, 'passed_challenge')
  assert.equal(await addressOf(browser), NEW)
  assert.equal((await holder.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(NEW)).status, 200)
  assert.deepEqual(await owners(identity, NEW), [{ email: NEW }])
})

test("SEC-76 a provider's verified address claims an unproven one", async () => {
  const { identity, acme } = await withAcme({ flows: FLOWS })
  const holder = await squatter(identity)
  const owner = identity.browser()
  await signInWith(owner, acme, { ...GRACE, email_verified: false })
  assert.equal((await owner.whoami()).status, 401)
  await signInWith(owner, acme, GRACE)
  assert.equal(await addressOf(owner), NEW)
  assert.equal((await holder.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(NEW)).status, 400)
})

test('SEC-76 an account keeps a proven or operator-set address', async () => {
  const { identity, acme } = await withAcme({ flows: FLOWS })
  await identity.user(NEW)
  const credentials = { password: { config: { password: PASSWORD } } }
  await identity.admin('POST', '/admin/identities', { traits: { email: EVE }, credentials })
  for (const email of [NEW, EVE]) {
    const claimant = identity.browser()
    await signInWith(claimant, acme, { ...GRACE, sub: email, email })
    assert.equal((await claimant.whoami()).status, 401)
    assert.equal((await identity.browser().signIn(email)).status, 200)
  }
})

testOnEach('SEC-76 one of two users who prove an address at once gets it', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: FLOWS } })
  const holder = await squatter(identity)
  const claims = [await claim(identity, ADA), await claim(identity, EVE)]
  const answers = await Promise.all(claims.map(({ prove }) => prove()))
  const passed = answers.filter(({ body }) => body.state === 'passed_challenge')
  assert.equal(passed.length, 1)
  assert.ok(answers.every(({ status }) => status < 500))
  assert.equal((await owners(identity, NEW)).length, 1)
  assert.equal((await holder.whoami()).status, 401)
})

testOnEach('SEC-76 holder or claimant has the address after simultaneous proofs', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: FLOWS } })
  const holder = identity.browser()
  const registered = await holder.register(NEW)
  const form = await formOf(holder, registered)
  const own = await identity.code(NEW)
  const { prove } = await claim(identity, ADA)
  const answers = await Promise.all([holder.submit(form, { method: 'code', code: own }), prove()])
  assert.ok(
    answers.every(({ status }) => status < 500),
    JSON.stringify(answers.map(({ status, body }) => [status, body])),
  )
  assert.equal((await owners(identity, NEW)).length, 1)
})

const CORRECTIONS = {
  replaces: { op: 'replace', path: '/traits/email', value: NEW },
  unverifies: { op: 'replace', path: '/verifiable_addresses/0/verified', value: false },
}

for (const [corrects, operation] of Object.entries(CORRECTIONS)) {
  test(`SEC-83 an account whose address an operator ${corrects} survives a proof`, async () => {
    const { identity, acme } = await withAcme({ flows: FLOWS })
    const { browser, id } = await proven(identity, { email: corrects === 'replaces' ? EVE : NEW })
    const path = `/admin/identities/${id}`
    assert.equal((await identity.admin('PATCH', path, [operation])).status, 200)
    const claimant = identity.browser()
    await signInWith(claimant, acme, GRACE)
    assert.equal((await claimant.whoami()).status, 401)
    assert.equal((await browser.whoami()).status, 200)
    await change(await identity.signedIn(ADA), { email: NEW })
    assert.equal((await identity.mails(NEW))[0]?.template_type, 'address_taken')
  })
}

test('SEC-83 an account cannot replace a deactivated one', async () => {
  const { identity, acme } = await withAcme({ flows: FLOWS })
  await squatter(identity)
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const state = { op: 'replace', path: '/state', value: 'inactive' }
  await identity.admin('PATCH', `/admin/identities/${id}`, [state])
  const claimant = identity.browser()
  await signInWith(claimant, acme, GRACE)
  assert.equal((await claimant.whoami()).status, 401)
  assert.equal((await identity.admin('GET', `/admin/identities/${id}`)).body.state, 'inactive')
})

test('SEC-83 a registered user links the provider and keeps the account', async () => {
  const { identity, acme } = await withAcme({ flows: FLOWS })
  const browser = await squatter(identity)
  const { id } = (await browser.whoami()).body.identity
  const { logout_url } = (await browser.get('/self-service/logout/browser')).body
  await browser.get(logout_url)
  const form = await formAt(browser, await signInWith(browser, acme, GRACE))
  await browser.submit(form, { method: 'password', identifier: NEW, password: PASSWORD })
  assert.equal((await browser.whoami()).body.identity.id, id)
  const again = identity.browser()
  await signInWith(again, acme, GRACE)
  assert.equal((await again.whoami()).body.identity.id, id)
})

const ANY = { credentials: { password: { identifier: true } }, verification: { via: 'email' } }
const email = (marks: object) => ({ type: 'string', format: 'email', 'ory.sh/kratos': marks })
const SEVERAL: Record<string, { readonly properties: object; readonly own: object; readonly left: object }> =
  {
    'a list': {
      properties: { emails: { type: 'array', items: email(ANY) } },
      own: { emails: [EVE, NEW] },
      left: { emails: [EVE] },
    },
    'another trait': {
      properties: { email: email(ANY), backup: email({ recovery: { via: 'email' } }) },
      own: { email: EVE, backup: NEW },
      left: { email: EVE },
    },
  }

for (const [where, { properties, own, left }] of Object.entries(SEVERAL)) {
  test(`SEC-83 a proven account loses only the unproven address in ${where}`, async () => {
    const identity = await withTraits({ ...properties, login: email(ANY) })
    const { id } = await proven(identity, own)
    const { browser } = await proven(identity, { login: ADA })
    const { prove } = await claimIn(identity, browser, { login: NEW })
    assert.equal((await prove()).body.state, 'passed_challenge')
    assert.deepEqual((await identity.admin('GET', `/admin/identities/${id}`)).body.traits, left)
    assert.equal((await identity.browser().signIn(EVE)).status, 200)
    assert.deepEqual(claims(identity, id), ['address_removed'])
  })
}

test('SEC-83 an account keeps an address that it cannot lose alone', async () => {
  const contact = { type: 'object', properties: { main: email(ANY), other: email(ANY) } }
  const identity = await withTraits({ contacts: { type: 'array', items: contact }, login: email(ANY) })
  const own = { contacts: [{ main: EVE, other: NEW }] }
  const { id } = await proven(identity, own)
  await change((await proven(identity, { login: ADA })).browser, { login: NEW })
  assert.equal((await identity.mails(NEW))[0]?.template_type, 'address_taken')
  assert.deepEqual((await identity.admin('GET', `/admin/identities/${id}`)).body.traits, own)
})

test('SEC-83 logs which account a proof deleted', async () => {
  const { identity, acme } = await withAcme({ flows: FLOWS })
  const holder = await squatter(identity)
  const { id } = (await holder.whoami()).body.identity
  await signInWith(identity.browser(), acme, GRACE)
  assert.deepEqual(claims(identity, id), ['account_deleted'])
})

async function squatter(identity: TestIdentity): Promise<Browser> {
  const browser = identity.browser()
  await browser.register(NEW)
  if ((await browser.whoami()).status !== 200) assert.equal((await browser.signIn(NEW)).status, 200)
  return browser
}

async function proven(identity: TestIdentity, traits: object) {
  const browser = identity.browser()
  const form = { method: 'password', password: PASSWORD, traits }
  const registered = await browser.submit(await browser.open('registration'), form)
  const [address = ''] = JSON.stringify(traits).match(/[a-z]+@[a-z.]+/) ?? []
  const code = await identity.code(address)
  const done = await browser.submit(await formOf(browser, registered), { method: 'code', code })
  assert.equal(done.body.state, 'passed_challenge')
  if ((await browser.whoami()).status !== 200) await browser.signIn(address)
  return { browser, id: (await browser.whoami()).body.identity.id as string }
}

/** As a new one. `prove` enters its code. */
async function claim(identity: TestIdentity, email: string) {
  return await claimIn(identity, await identity.signedIn(email), { email: NEW })
}

async function claimIn(identity: TestIdentity, browser: Browser, traits: object) {
  const form = await formOf(browser, await change(browser, traits))
  const code = await identity.code(NEW)
  return { browser, prove: () => browser.submit(form, { method: 'code', code }) }
}

async function change(browser: Browser, traits: object): Promise<FlowAnswer> {
  return await browser.submit(await browser.open('settings'), { method: 'profile', traits })
}

async function withTraits(properties: object): Promise<TestIdentity> {
  const traits = { type: 'object', properties, additionalProperties: false }
  const schema = { ...userSchema, properties: { traits } }
  const schemas = [{ id: 'default', schema }]
  return await createTestIdentity({ selfservice: { flows: FLOWS }, identity: { schemas } })
}

function claims({ logged }: TestIdentity, id: string): string[] {
  return logged
    .filter((line) => line.includes('"event":"address_claimed"') && line.includes(id))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))).detail as string)
}

async function formOf(browser: Browser, answer: FlowAnswer): Promise<FlowAnswer> {
  return await browser.get(`/self-service/verification/flows?id=${verificationIn(answer)?.id}`)
}

async function owners(identity: TestIdentity, email: string): Promise<object[]> {
  const { body } = await identity.admin('GET', '/admin/identities')
  return (body as { traits: { email: string } }[])
    .map(({ traits }) => traits)
    .filter((traits) => traits.email === email)
}

async function addressOf(browser: Browser): Promise<string> {
  return (await browser.whoami()).body.identity.traits.email
}
