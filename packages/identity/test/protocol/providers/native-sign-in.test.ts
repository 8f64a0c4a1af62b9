import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, fieldMessageIds, messageIds } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { ADA, addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { configured, refusal } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'
import { GRACE, leave, type Mapping, nativeJourney, signInWith, withAcme } from '../../servers/oidc-kit.ts'

testOnEach('an app exchanges two codes for its session, and repeats it for a minute', async () => {
  // Each request waits for the one that registers the user.
  const house = await withAcme({}, {}, { sleep })
  const { identity, app, location, exchange } = await nativeJourney('login', house)
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
  const { id } = (await exchange()).body.session
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

testOnEach("SEC-98 a victim's browser sets up no account for another's app", async () => {
  for (const kind of ['login', 'registration'] as const) {
    const house = await withAcme()
    const { identity, app, flow, code, redeem } = await nativeJourney(kind, house, OWN)
    assert.match(String(code), /^\w{64}$/)
    assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
    // The attacker has the form and its code, but not the code that went to the victim's device.
    const own = String((flow.body as unknown as Record<string, string>).session_token_exchange_code)
    assert.equal((await redeem(own, 'x'.repeat(64))).status, 404)
    const read = await app.send('GET', `/self-service/${kind}/flows?id=${flow.body.id}`)
    assert.ok(!JSON.stringify(read.body).includes(String(GRACE.email)))
    // The victim's app has another form.
    const other = await identity.app().open(kind, '?return_session_token_exchange_code=true')
    const theirs = String((other.body as unknown as Record<string, string>).session_token_exchange_code)
    assert.equal((await redeem(theirs)).status, 404)
    assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
    const victim = identity.browser()
    await signInWith(victim, house.acme, GRACE)
    assert.equal((await victim.whoami()).body.identity.traits.email, GRACE.email)
  }
})

test("SEC-98 a form of an app shows no claims of a provider's user", async () => {
  const house = await withAcme(
    {},
    { mapper: ({ claims }: Mapping) => ({ identity: { traits: { name: claims.name } } }) },
  )
  const { app, flow, location } = await nativeJourney('registration', house)
  assert.equal(location, 'http://app.test/native')
  const read = await app.send('GET', `/self-service/registration/flows?id=${flow.body.id}`)
  assert.ok(!JSON.stringify(read.body).includes(String(GRACE.name)))
})

test('an exchange reports what refuses the registration, and works once nothing does', async () => {
  const receiver = await startHookReceiver()
  const hooks = [configured(receiver, { path: '/stop', can_interrupt: true }), { hook: 'session' }]
  const house = await withAcme({ flows: { registration: { after: { oidc: { hooks } } } } })
  receiver.answers.set('/stop', refusal('#/traits/email'))
  const { exchange } = await nativeJourney('registration', house)
  const refused = await exchange()
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'traits.email')], [400, [4711]])
  assert.deepEqual((await house.identity.admin('GET', '/admin/identities')).body, [])
  receiver.answers.delete('/stop')
  assert.equal((await exchange()).status, 200)
})

test('an exchange names the form that verifies the address where signing in requires one', async () => {
  const hooks = [{ hook: 'session' }, { hook: 'require_verified_address' }]
  const house = await withAcme({ flows: { registration: { after: { oidc: { hooks } } } } })
  const { identity, exchange } = await nativeJourney('login', house, {
    user: { ...GRACE, email_verified: false },
  })
  const { status, body } = await exchange()
  assert.deepEqual([status, body.session_token, body.identity.traits.email], [200, undefined, GRACE.email])
  assert.equal((await identity.admin('GET', '/admin/identities')).body.length, 1)
})

test('a taken address leads the app to the form that connects the provider', async () => {
  const house = await withAcme()
  await house.identity.user(String(GRACE.email))
  const { app, location } = await nativeJourney('login', house)
  const flow = new URL(location).searchParams.get('flow')
  const login = await app.send('GET', `/self-service/login/flows?id=${flow}`)
  const signedIn: Answer = await app.submit(login, {
    method: 'password',
    identifier: GRACE.email,
    password: PASSWORD,
  })
  assert.equal(signedIn.status, 200)
  const again = await nativeJourney('login', house)
  assert.equal((await again.exchange()).body.session.identity.id, signedIn.body.session.identity.id)
})

// A deep link would open an attacker's form in the owner's app, which has no cookie to tell them apart.
test("SEC-120 an app's form connects a provider account only to the account of its address", async () => {
  const mallory = { user: { sub: 'mallory', email: ADA, email_verified: false }, traits: { email: ADA } }
  for (const kind of ['login', 'registration'] as const) {
    const house = await withAcme()
    await house.identity.user(ADA)
    const { location, exchange } = await nativeJourney(kind, house, mallory)
    assert.equal(new URL(location).searchParams.get('flow'), null)
    const redeemed = await exchange()
    assert.deepEqual([redeemed.status, messageIds(redeemed)], [400, [4000007]])
  }
})
