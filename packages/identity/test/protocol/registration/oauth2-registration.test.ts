import assert from 'node:assert/strict'
import { type Answer, messageIds, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA } from '../../kit/factors.ts'
import { PUBLIC } from '../../kit/kit.ts'
import { continueIn, idsOf, requestOf, verifiedUrl, withHydra } from '../../servers/hydra-kit.ts'

const EVE = 'eve@example.com'
const SIGN_UP = { method: 'password', password: PASSWORD, traits: { email: EVE } }

test('goes back after a registration', async () => {
  const after = { password: { hooks: [{ hook: 'session' }] } }
  const { identity, accepted } = await withHydra({ selfservice: { flows: { registration: { after } } } })
  const script = identity.browser()
  const form = await script.open('registration', '?login_challenge=one')
  const made: Answer = await script.submit(form, SIGN_UP)
  const { continue_with } = made.body
  assert.deepEqual(continue_with, [
    { action: 'redirect_browser_to', redirect_browser_to: verifiedUrl('one') },
  ])
  assert.equal(accepted()[0]?.body.identity_provider_session_id, (await idsOf(script)).session)
  const page = identity.browser()
  const opened = await page.open('registration', '?login_challenge=two')
  const fields = {
    method: 'password',
    password: PASSWORD,
    'traits.email': ADA,
    csrf_token: String(tokenOf(opened)),
  }
  assert.equal((await page.post(opened.body.ui.action, fields)).location, verifiedUrl('two'))
})

test('leads to the login after a registration that does not sign in', async () => {
  const after = { password: { hooks: [] } }
  const { identity, accepted } = await withHydra({ selfservice: { flows: { registration: { after } } } })
  const browser = identity.browser()
  const made: Answer = await browser.submit(
    await browser.open('registration', '?login_challenge=one'),
    SIGN_UP,
  )
  const { continue_with } = made.body
  const login = `${PUBLIC}/self-service/login/browser?login_challenge=one`
  assert.equal(continue_with[0]?.redirect_browser_to, login)
  assert.equal(accepted().length, 0)
})

test('goes back once the new address is verified', async () => {
  const { identity, accepted } = await withHydra()
  const browser = identity.browser()
  const made: Answer = await browser.submit(
    await browser.open('registration', '?login_challenge=one'),
    SIGN_UP,
  )
  const path = `/self-service/verification/flows?id=${verificationIn(made)?.id}`
  const form = await browser.get(path)
  assert.equal(accepted().length, 0)
  const wrong = await browser.submit(form, { method: 'code', code: '000000' })
  assert.deepEqual([wrong.body.state, accepted().length], ['sent_email', 0])
  const proved = await browser.submit(form, { method: 'code', code: await identity.code(EVE) })
  assert.deepEqual([proved.body.state, continueIn(proved)], ['passed_challenge', verifiedUrl('one')])
  assert.equal(accepted()[0]?.body.identity_provider_session_id, (await idsOf(browser)).session)
})

test('a page goes back with the code itself', async () => {
  const { identity } = await withHydra()
  const browser = identity.browser()
  const made: Answer = await browser.submit(
    await browser.open('registration', '?login_challenge=one'),
    SIGN_UP,
  )
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(made)?.id}`)
  const fields = { method: 'code', code: await identity.code(EVE), csrf_token: String(tokenOf(form)) }
  const proved = await browser.post(form.body.ui.action, fields)
  assert.deepEqual([proved.status, proved.location], [303, verifiedUrl('one')])
})

const VERIFIED = 1080002
const APP_SIGN_IN_ENDED = 1080901

for (const sender of ['script', 'page']) {
  test(`a ${sender} verifies the address although the request has ended`, async () => {
    const { identity, answers } = await withHydra()
    const browser = identity.browser()
    const made: Answer = await browser.submit(
      await browser.open('registration', '?login_challenge=one'),
      SIGN_UP,
    )
    const path = `/self-service/verification/flows?id=${verificationIn(made)?.id}`
    const form = await browser.get(path)
    const fields = { method: 'code', code: await identity.code(EVE), csrf_token: String(tokenOf(form)) }
    const send = () =>
      sender === 'script' ? browser.submit(form, fields) : browser.post(form.body.ui.action, fields)
    const request = requestOf('one', false)
    answers('one', { body: request }, { status: 503, body: {} })
    await send()
    assert.equal((await browser.get(path)).body.state, 'sent_email')
    answers('one', { body: request }, { status: 401, body: { error: 'request_unauthorized' } })
    const sent = await send()
    assert.equal(sent.location?.split('?')[0], sender === 'page' ? 'http://app.test/verify' : undefined)
    const proved = await browser.get(path)
    assert.deepEqual(messageIds(proved), [VERIFIED, APP_SIGN_IN_ENDED])
    assert.equal(continueIn(proved), request.request_url)
    const { identity: account } = (await browser.whoami()).body
    assert.equal(account.verifiable_addresses[0].verified, true)
  })
}
