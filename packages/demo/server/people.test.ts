import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestProduct, type TestProduct } from '@ostiary/server/testing/product'
import ownProduct from '../../../app/server.ts'
import { createPeople } from './people.ts'

const PEOPLE = '/demo/api/people'

interface Shown {
  readonly key: string
  readonly email: string
  readonly made: boolean
  readonly code?: string
}

async function listPeople(product: TestProduct) {
  const response = await product.fetch(PEOPLE)
  return (await response.json()) as { password: string; people: Shown[] }
}

const make = (product: TestProduct, key: string) =>
  product.fetch(`${PEOPLE}/${key}/reset`, { method: 'POST' })

async function logIn(product: TestProduct, key: string) {
  const { people, password } = await listPeople(product)
  const identifier = people.find((person) => person.key === key)?.email
  const flow = (await (await product.fetch('/.ory/self-service/login/api')).json()) as { id: string }
  const response = await product.fetch(`/.ory/self-service/login?flow=${flow.id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'password', identifier, password }),
  })
  return { status: response.status, body: (await response.json()) as { session_token?: string } }
}

test('the people exist once they are made, each in a different state', async () => {
  await using product = await startTestProduct()
  assert.equal((await logIn(product, 'ada')).status, 400)
  for (const key of ['ada', 'bo', 'chi', 'eli']) assert.equal((await make(product, key)).status, 204)
  assert.equal((await logIn(product, 'ada')).status, 200)
  assert.notEqual((await logIn(product, 'bo')).status, 200)
  const whoami = async (key: string) => {
    const { session_token = '' } = (await logIn(product, key)).body
    return await product.fetch('/.ory/sessions/whoami', { headers: { 'X-Session-Token': session_token } })
  }
  assert.equal((await whoami('chi')).status, 403)
  const { people } = await listPeople(product)
  assert.match(people.find(({ key }) => key === 'chi')?.code ?? '', /^\d{6}$/)
  const eli = (await (await whoami('eli')).json()) as { identity: { id: string } }
  assert.ok(await product.identity.account.deletionDue(eli.identity.id))
})

const withTrait = (harbor: object) => {
  const { config } = ownProduct
  const account = { traits: { ...config.traits, harbor }, requiredTraits: ['email', 'harbor'] }
  return startTestProduct({}, {}, undefined, { config: { ...config, ...account } as typeof config })
}

test('the people have the traits that a product requires', async () => {
  await using product = await withTrait({ type: 'string', enum: ['Hamburg', 'Bergen'] })
  assert.equal((await make(product, 'ada')).status, 204)
  assert.equal((await logIn(product, 'ada')).status, 200)
})

test('names a required trait that has no sample, or whose sample is refused', async () => {
  for (const [harbor, reason] of [
    [{ type: 'string', pattern: '^[A-Z]{3}$' }, /value for the trait harbor: add examples/],
    [{ type: 'string', pattern: '^[A-Z]{3}$', examples: ['ham'] }, /harbor/],
  ] as const) {
    await using product = await withTrait(harbor)
    const response = await make(product, 'ada')
    assert.equal(response.status, 422)
    assert.match(((await response.json()) as { error: { message: string } }).error.message, reason)
  }
})

test('Fay is refused at once, and Gus is signed in on 40 devices', async () => {
  await using product = await startTestProduct()
  await make(product, 'ada')
  await make(product, 'fay')
  const made = (await listPeople(product)).people.filter((person) => person.made).map(({ key }) => key)
  assert.deepEqual(made, ['ada'])
  assert.equal((await logIn(product, 'fay')).status, 429)
  await make(product, 'gus')
  const { session_token = '' } = (await logIn(product, 'gus')).body
  const headers = { 'X-Session-Token': session_token }
  const others = (await (await product.fetch('/.ory/sessions?page_size=100', { headers })).json()) as object[]
  assert.equal(others.length, 40)
})

test('the audit list has no calls that make the people', async () => {
  await using product = await startTestProduct()
  await make(product, 'ada')
  assert.equal((await logIn(product, 'ada')).status, 200)
  const response = await product.identity.adminApp.request('http://127.0.0.1/admin/audit')
  assert.deepEqual(await response.json(), [])
})

test('the inbox has no emails about making the people', async () => {
  await using product = await startTestProduct()
  const recipients = async () => {
    const { mails } = (await (await product.fetch('/demo/api/mails')).json()) as {
      mails: { recipient: string }[]
    }
    return mails.map(({ recipient }) => recipient)
  }
  await make(product, 'ada')
  await make(product, 'chi')
  assert.ok((await product.identity.listMails(100)).length > 0)
  assert.deepEqual(await recipients(), [])
  await logIn(product, 'ada')
  assert.deepEqual(await recipients(), ['ada@people.example.com'])
  await make(product, 'ada')
  assert.deepEqual(await recipients(), [])
})

test('a demo without GitHub lists no user with a GitHub account', async () => {
  await using product = await startTestProduct()
  const { routes: people } = createPeople({
    identity: product.identity,
    providers: { clients: [] },
    account: { traits: {}, requiredTraits: ['email'] },
    now: () => new Date(),
  })
  const listed = (await (await people.request('/')).json()) as { people: { step: string }[] }
  assert.ok(listed.people.length > 0 && listed.people.every(({ step }) => step !== 'github'))
})

test('reset gives a person a new account', async () => {
  await using product = await startTestProduct()
  await make(product, 'ada')
  const idOf = async () => {
    const response = await product.identity.adminApp.request('/admin/identities/by/external/demo-ada')
    return ((await response.json()) as { id: string }).id
  }
  const before = await idOf()
  assert.equal((await make(product, 'ada')).status, 204)
  assert.notEqual(await idOf(), before)
  assert.equal((await make(product, 'zoe')).status, 404)
})

test('the password of an earlier demo no longer works', async () => {
  await using product = await startTestProduct()
  const { adminApp } = product.identity
  const [identifier, password] = ['ada@people.example.com', 'the password of an earlier demo']
  const account = {
    schema_id: 'person',
    external_id: 'demo-ada',
    traits: { email: identifier },
    credentials: { password: { config: { password } } },
    verifiable_addresses: [{ value: identifier, via: 'email', verified: true, status: 'completed' }],
  }
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(account)
  const created = await adminApp.request('/admin/identities', { method: 'POST', headers, body })
  assert.equal(created.status, 201)
  const { people, password: current } = await listPeople(product)
  assert.notEqual(current, password)
  assert.equal(people.find(({ key }) => key === 'ada')?.made, false)
  await make(product, 'ada')
  assert.equal((await logIn(product, 'ada')).status, 200)
})

test('no other site resets a person, and production has none', async () => {
  await using product = await startTestProduct()
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  for (const headers of [foreign, { ...foreign, cookie: 'demo_browser=x' }, { origin: 'null' }])
    assert.equal((await product.fetch(`${PEOPLE}/ada/reset`, { method: 'POST', headers })).status, 403)
  await using elsewhere = await startTestProduct({ SMTP_URL: 'off' })
  assert.equal((await elsewhere.fetch(PEOPLE)).status, 404)
})
