import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { GRACE, leave, nativeJourney, withAcme } from '../../servers/oidc-kit.ts'

test('an app exchanges two codes for its session, and repeats it for a minute', async () => {
  const { identity, app, location, exchange } = await nativeJourney('login')
  assert.match(location, /^http:\/\/app\.test\/native\?code=\w{64}$/)
  const answers = await Promise.all(Array.from({ length: 3 }, exchange))
  identity.advance(59_000)
  const tokens = [...answers, await exchange()].map(({ body }) => body.session_token)
  assert.equal(new Set(tokens).size, 1)
  identity.advance(2_000)
  assert.equal((await exchange()).status, 404)
  app.token = tokens[0]
  assert.equal((await app.send('GET', '/sessions/whoami')).body.identity.traits.email, 'grace@example.com')
})

test("an app's codes need no session hook, and a revoked session's return nothing", async () => {
  const registration = { after: { hooks: [], oidc: { hooks: [] } } }
  const house = await withAcme({ flows: { registration } })
  const { identity, exchange } = await nativeJourney('registration', house)
  const [{ id }] = (await identity.admin('GET', '/admin/sessions')).body
  await identity.admin('DELETE', `/admin/sessions/${id}`)
  assert.equal((await exchange()).status, 404)
})

test('SEC-73 exchange codes do not reveal the user before the second factor', async () => {
  const house = await withAcme(SECOND_FACTORS.selfservice)
  const first = await nativeJourney('registration', house)
  first.app.token = (await first.exchange()).body.session_token
  await addTotp(house.identity, first.app)
  const { body } = await (await nativeJourney('login', house)).exchange()
  assert.equal(body.session.identity, null)
})

const OWN = { traits: { email: 'mallory@example.com', name: 'Countess' } }

for (const kind of ['login', 'registration'] as const) {
  test(`SEC-99 a ${kind} keeps the address that the provider verified`, async () => {
    const house = await withAcme()
    const { exchange } = await nativeJourney(kind, house, OWN)
    const { traits, verifiable_addresses } = (await exchange()).body.session.identity
    assert.deepEqual(traits, { email: GRACE.email, name: 'Countess' })
    assert.deepEqual([verifiable_addresses.length, verifiable_addresses[0].verified], [1, true])
  })

  test(`a ${kind} takes the submitted address if the provider verified none`, async () => {
    const house = await withAcme()
    const unverified = { ...OWN, user: { ...GRACE, email_verified: false } }
    const { exchange } = await nativeJourney(kind, house, unverified)
    const { traits, verifiable_addresses } = (await exchange()).body.session.identity
    assert.deepEqual([traits.email, verifiable_addresses[0].verified], [OWN.traits.email, false])
  })
}

test('a browser may register with another address', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  acme.user = GRACE
  const there = await leave(browser, await browser.open('registration'), 'acme', OWN)
  await browser.navigate(await acme.visit(there))
  assert.equal((await browser.whoami()).body.identity.traits.email, OWN.traits.email)
})
