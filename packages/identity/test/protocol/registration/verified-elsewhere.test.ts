import assert from 'node:assert/strict'
import { messageIds, nodeOf, verificationIn } from '../../../src/testing/answers.ts'
import { optionsIn } from '../../../src/testing/authenticator.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'
import { enter, onlyPasskey, service } from '../../kit/passkeys.ts'
import { ADA, BY_LINK, EVE, linkTo } from '../../kit/recovery-kit.ts'
import { formOf, leave } from '../../servers/oidc-kit.ts'
import { byCode, loginAfter, planted, VERIFICATIONS } from '../../servers/planted-kit.ts'

for (const [how, verify] of Object.entries(VERIFICATIONS)) {
  test(`SEC-24 a planted account stays unverified when its owner ${how}, until they recover it`, async () => {
    const { identity, planter, signIn } = await planted()
    const owner = identity.browser()
    const login = await loginAfter(owner, await verify(identity, owner))
    assert.deepEqual(messageIds(login), [1010902])
    assert.equal((await owner.whoami()).status, 401)
    assert.equal((await planter.whoami()).body.identity.verifiable_addresses[0].verified, false)
    assert.equal((await byCode(identity, owner, 'recovery')).status, 200)
    assert.equal((await planter.whoami()).status, 401)
    assert.equal(await signIn(identity.browser()), 401)
  })

  test(`SEC-24 what was set up stays if its owner ${how} in another browser and signs in there`, async () => {
    const { identity, planter, signIn } = await planted()
    const owner = identity.browser()
    const login = await loginAfter(owner, await verify(identity, owner))
    await owner.navigate(await signIn.visit(await leave(owner, login, 'acme')))
    const { identity: own } = (await owner.whoami()).body
    assert.equal(own.verifiable_addresses[0].verified, true)
    assert.equal((await planter.whoami()).body.identity.id, own.id)
    assert.equal(await signIn(identity.browser()), 200)
  })
}

test('SEC-24 a password stays if its owner verifies in another browser and enters it there', async () => {
  const identity = await createTestIdentity({
    ...VERIFIED_ONLY,
    security: { account_enumeration: { mitigate: true } },
  })
  await identity.browser().register(ADA)
  const owner = identity.browser()
  const login = await loginAfter(owner, await byCode(identity, owner, 'verification'))
  const identifier = nodeOf(login, 'identifier')
  assert.deepEqual([identifier?.type, identifier?.value], ['hidden', ADA])
  const values = { method: 'password', identifier: ADA }
  const wrong = await owner.submit(login, { ...values, password: 'another horse 7 battery' })
  assert.equal(wrong.status, 400)
  assert.equal((await identity.browser().signIn(ADA)).status, 400)
  assert.equal((await owner.submit(wrong, { ...values, password: PASSWORD })).status, 200)
  assert.equal((await owner.whoami()).body.identity.verifiable_addresses[0].verified, true)
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
})

test('SEC-24 a passkey stays if its owner verifies in another browser and uses it there', async () => {
  const identity = await service()
  const { key } = await onlyPasskey(identity)
  const owner = identity.browser()
  const login = await loginAfter(owner, await byCode(identity, owner, 'verification'))
  assert.equal(nodeOf(login, 'password'), undefined)
  const passkey_login = key.get(optionsIn(login, 'passkey_challenge'))
  assert.equal((await owner.submit(login, { passkey_login })).status, 200)
  assert.equal((await owner.whoami()).body.identity.verifiable_addresses[0].verified, true)
  assert.equal((await enter(identity.browser(), key)).status, 200)
})

test('SEC-24 only the verified account and its code count after a verification in another browser', async () => {
  const identity = await createTestIdentity()
  await identity.user(EVE)
  const planter = identity.browser()
  await planter.register(ADA)
  const owner = identity.browser()
  await owner.signIn(EVE)
  const login = await loginAfter(owner, await byCode(identity, owner, 'verification'))
  const wrong = await owner.submit(login, { method: 'password', identifier: EVE, password: PASSWORD })
  assert.deepEqual([wrong.status, messageIds(wrong)], [400, [1010902, 4000006]])
  const { id } = (await owner.whoami()).body.identity
  const { body: events } = await identity.admin('GET', `/admin/identities/${id}/events`)
  assert.deepEqual([events[0].event, events[0].outcome], ['sign_in', 'refused'])
  const addresses = async () => (await planter.whoami()).body.identity.verifiable_addresses[0]
  assert.equal((await addresses()).verified, false)
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  assert.equal((await identity.browser().submit(login, values)).status, 403)
  assert.equal((await owner.submit(login, values)).status, 200)
  assert.equal((await addresses()).verified, true)
})

test('SEC-24 the code still works where the account was registered', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const registered = await browser.register(ADA)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
  const code = await identity.code(ADA)
  const elsewhere = identity.browser()
  await loginAfter(elsewhere, await VERIFICATIONS['opens the emailed link']!(identity, elsewhere))
  assert.equal((await browser.submit(form, { method: 'code', code })).body.state, 'passed_challenge')
})

test('SEC-24 a mail scanner that opens the link leaves the form to the browser that registered', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  const browser = identity.browser()
  const path = await flowPath(browser, ADA)
  await identity.browser().navigate(await linkTo(identity, ADA))
  const form = await browser.get(path('/flows?id='))
  assert.equal(form.status, 200)
  assert.equal(nodeOf(form, 'code')?.value, undefined)
  const again = await browser.submit(form, { method: 'code', email: ADA })
  assert.deepEqual([again.status, messageIds(again)], [200, [1080003]])
  await identity.browser().navigate(await linkTo(identity, ADA))
  const code = await identity.code(ADA)
  assert.equal((await browser.submit(form, { method: 'code', code })).body.state, 'passed_challenge')
})

test('SEC-24 a link without a code consumes nothing in another browser', async () => {
  const identity = await createTestIdentity(BY_LINK)
  const planter = identity.browser()
  await planter.register(ADA)
  const link = await linkTo(identity, ADA)
  const owner = identity.browser()
  const login = await formOf(owner, await owner.navigate(link))
  assert.deepEqual(messageIds(login), [1010902])
  assert.equal((await planter.whoami()).body.identity.verifiable_addresses[0].verified, false)
  await planter.navigate(link)
  assert.equal((await planter.whoami()).body.identity.verifiable_addresses[0].verified, true)
})

test("SEC-24 an app's link asks in a browser, and the app stays signed in", async () => {
  for (const config of [{}, BY_LINK]) {
    const identity = await createTestIdentity(config)
    const app = identity.app()
    app.token = (await app.register(ADA)).body.session_token
    const owner = identity.browser()
    const opened = await owner.navigate(await linkTo(identity, ADA))
    const form = await formOf(owner, opened)
    const login = form.body.ui.action.includes('/login')
      ? form
      : await loginAfter(
          owner,
          await owner.submit(form, { method: 'code', code: nodeOf(form, 'code')?.value }),
        )
    const values = { method: 'password', identifier: ADA, password: PASSWORD }
    assert.equal((await owner.submit(login, values)).status, 200)
    const { body } = await app.send('GET', '/sessions/whoami')
    assert.equal(body.identity.verifiable_addresses[0].verified, true)
    assert.equal((await identity.app().signIn(ADA)).status, 200)
  }
})

test('SEC-24 a code that a browser opened by its link is shown to that browser only', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  const planters = { [ADA]: identity.browser(), [EVE]: identity.app() }
  for (const [email, planter] of Object.entries(planters)) {
    const path = await flowPath(planter, email)
    const owner = identity.browser()
    const form = await formOf(owner, await owner.navigate(await linkTo(identity, email)))
    const secrets = ['code', 'csrf_token'].map((name) => String(nodeOf(form, name)?.value))
    assert.match(secrets[0] ?? '', /^\d{6}$/)
    for (const stranger of [planter, identity.app(), identity.browser()]) {
      const wrong = { method: 'code', code: '000000' }
      for (const { body } of [
        await stranger.send('GET', path('/flows?id='), undefined, {}),
        await stranger.send('POST', path('?flow='), wrong, {}),
      ])
        for (const secret of secrets) assert.ok(!JSON.stringify(body).includes(secret), JSON.stringify(body))
    }
    assert.equal(nodeOf(await owner.get(path('/flows?id=')), 'code')?.value, secrets[0])
  }
})

async function flowPath(planter: Pick<Browser, 'register'>, email: string) {
  const { id } = verificationIn(await planter.register(email)) ?? assert.fail()
  return (part: string) => `/self-service/verification${part}${id}`
}
