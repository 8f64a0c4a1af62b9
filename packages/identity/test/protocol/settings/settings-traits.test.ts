import assert from 'node:assert/strict'
import { type FlowAnswer, nodeOf, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { nodeName } from '../../../src/ui/nodes.ts'
import { newDsn, test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, standard, type TestIdentity, userSchema } from '../../kit/kit.ts'

const ADA = 'ada@example.com'

test('keeps a trait that users cannot edit', async () => {
  const browser = await signedInWith({ plan: { type: 'string', disableFormField: true } }, { plan: 'gold' })
  const flow = await browser.open('settings')
  assert.equal(nodeOf(flow, 'traits.plan')?.disabled, true)
  const form = {
    csrf_token: String(tokenOf(flow)),
    method: 'profile',
    'traits.email': ADA,
    'traits.name': 'Ada',
  }
  await browser.post(flow.body.ui.action, form)
  assert.deepEqual((await browser.whoami()).body.identity.traits, { email: ADA, name: 'Ada', plan: 'gold' })
})

test('a list trait has a field per item', async () => {
  const tags = { type: 'array', title: 'Tags', items: { type: 'string' } }
  const browser = await signedInWith({ tags }, { tags: ['red'] })
  const flow = await browser.open('settings')
  assert.equal(nodeOf(flow, 'traits.tags')?.value, undefined)
  assert.equal(nodeOf(flow, 'traits.tags.0')?.value, 'red')
  const saved = await browser.submit(flow, {
    method: 'profile',
    traits: { email: ADA, tags: ['blue', 'round'] },
  })
  assert.deepEqual(
    ['traits.tags.0', 'traits.tags.1'].map((name) => nodeOf(saved, name)?.value),
    ['blue', 'round'],
  )
})

test('a trait outside the schema is refused and shown', async () => {
  const browser = await signedInWith({}, {})
  const traits = { email: ADA, shoe_size: 43 }
  const refused = await browser.submit(await browser.open('settings'), { method: 'profile', traits })
  const { type, value } = nodeOf(refused, 'traits.shoe_size') ?? {}
  assert.deepEqual([refused.status, type, value], [400, 'number', 43])
})

test('shows and removes a trait that an earlier schema left', async () => {
  const browser = await signedInWith({}, { shoe_size: 43 }, { shoe_size: { type: 'number' } })
  const form = await browser.open('settings')
  const { type, value } = nodeOf(form, 'traits.shoe_size') ?? {}
  assert.deepEqual([type, value], ['number', 43])
  const saved = await browser.submit(form, { method: 'profile', traits: { email: ADA } })
  assert.deepEqual([saved.status, nodeOf(saved, 'traits.shoe_size')], [200, undefined])
})

test('SEC-79 checks an old form against the current schema', async () => {
  const identity = await withTwoSchemas()
  const browser = await identity.signedIn(ADA)
  const form = await browser.open('settings')
  await moveToStaff(identity)
  const refused = await browser.submit(form, { method: 'profile', traits: { email: 'new@example.com' } })
  assert.equal(refused.status, 400)
  assert.deepEqual((await browser.whoami()).body.identity.traits, STAFF)
  assert.equal((await identity.browser().signIn(STAFF.login)).status, 200)
  const saved = await browser.submit(refused, {
    method: 'profile',
    traits: { ...STAFF, mail: 'new@example.com' },
  })
  assert.equal(saved.status, 200)
  assert.equal((await identity.browser().signIn(STAFF.login)).status, 200)
})

test('SEC-79 a code changes nothing after a schema change', async () => {
  const identity = await withTwoSchemas({
    selfservice: { flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } } },
  })
  const browser = await identity.signedIn(ADA)
  const email = 'new@example.com'
  const saved = await browser.submit(await browser.open('settings'), { method: 'profile', traits: { email } })
  await moveToStaff(identity)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(saved)?.id}`)
  const refused = await browser.submit(form, { method: 'code', code: await identity.code(email) })
  assert.notEqual(refused.body.state, 'passed_challenge')
  assert.deepEqual((await browser.whoami()).body.identity.traits, STAFF)
  assert.equal((await identity.browser().signIn(STAFF.login)).status, 200)
})

const STAFF = { login: 'ada.lovelace', mail: ADA }

async function withTwoSchemas(overrides: Merge = {}): Promise<TestIdentity> {
  const login = { type: 'string', 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
  const mail = { type: 'string', format: 'email', 'ory.sh/kratos': { verification: { via: 'email' } } }
  const traits = {
    type: 'object',
    properties: { login, mail },
    required: ['login'],
    additionalProperties: false,
  }
  const staff = { ...userSchema, properties: { traits } }
  const schemas = [
    { id: 'default', schema: userSchema },
    { id: 'staff', schema: staff },
  ]
  return await createTestIdentity({ ...overrides, identity: { schemas } })
}

async function moveToStaff(identity: TestIdentity): Promise<void> {
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const body = { schema_id: 'staff', state: 'active', traits: STAFF }
  assert.equal((await identity.admin('PUT', `/admin/identities/${id}`, body)).status, 200)
}

/** `before`: properties of the schema until the account was created. */
async function signedInWith(more: object, traits: object, before = {}) {
  const known = userSchema.properties.traits
  const dsn = await newDsn()
  const options = (added: object) => {
    const properties = { ...known.properties, ...more, ...added }
    const schema = { ...userSchema, properties: { traits: { ...known, properties } } }
    return { dsn, identity: { schemas: [{ id: 'default', schema }] } }
  }
  const identity = await createTestIdentity(options(before))
  await identity.admin('POST', '/admin/identities', {
    traits: { email: ADA, ...traits },
    credentials: { password: { config: { password: PASSWORD } } },
  })
  await identity.reconfigure(standard(options({})))
  const browser = identity.browser()
  await browser.signIn(ADA)
  return browser
}

test('the field of an unknown trait follows the token of an app', async () => {
  const identity = await createTestIdentity()
  const unknown = { method: 'profile', traits: 'x' }
  const app = identity.app()
  await identity.user(ADA)
  await app.signIn(ADA)
  const native = await app.submit(await app.open('settings'), unknown)
  const browser = await identity.signedIn('ben@example.com')
  const page = await browser.submit(await browser.open('settings'), unknown)
  const first = ({ body }: FlowAnswer) => body.ui.nodes.slice(0, 2).map(nodeName)
  assert.deepEqual(
    [first(native), first(page)],
    [
      ['csrf_token', 'traits'],
      ['traits', 'csrf_token'],
    ],
  )
})
