import assert from 'node:assert/strict'
import { tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { configured, hooked } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'

const ADA = 'ada@example.com'
const SHOWING = { any: [{ hook: 'verification' }, { hook: 'show_verification_ui' }] }

test('a sign-in with an unverified address leads to its verification', async () => {
  const { identity } = await hooked('login', SHOWING)
  await identity.browser().register(ADA)
  const browser = identity.browser()
  const done = await browser.signIn(ADA)
  assert.equal(done.status, 200)
  const actions = done.body.continue_with.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions, ['redirect_browser_to', 'show_verification_ui'])
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(done)?.id}`)
  const proven = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.equal(proven.body.state, 'passed_challenge')
  const again = await identity.browser().signIn(ADA)
  assert.equal(verificationIn(again), undefined)
})

test('a page is redirected to the verification, an app gets continue_with', async () => {
  const { identity } = await hooked('login', SHOWING)
  const app = identity.app()
  await app.register(ADA)
  const browser = identity.browser()
  const flow = await browser.open('login')
  const page = await browser.post(flow.body.ui.action, {
    csrf_token: String(tokenOf(flow)),
    method: 'password',
    identifier: ADA,
    password: PASSWORD,
  })
  assert.equal(page.status, 303)
  assert.match(page.location ?? '', /^http:\/\/app\.test\/verify\?flow=/)
  const told = await identity.app().signIn(ADA)
  assert.deepEqual(
    told.body.continue_with.map(({ action }: { action: string }) => action),
    ['show_verification_ui'],
  )
})

test('only emails the code without show_verification_ui', async () => {
  const { identity } = await hooked('login', { password: [{ hook: 'verification' }] })
  await identity.app().register(ADA)
  const before = (await identity.mails(ADA)).length
  const done = await identity.app().signIn(ADA)
  assert.deepEqual([done.status, done.body.continue_with], [200, null])
  assert.equal((await identity.mails(ADA)).length, before + 1)
})

test('passes the payload to hooks after second factor changes only', async () => {
  const receiver = await startHookReceiver()
  const { methods } = SECOND_FACTORS.selfservice
  const after = { hooks: [configured(receiver, { path: '/changed' })] }
  const identity = await createTestIdentity({ selfservice: { methods, flows: { settings: { after } } } })
  const browser = await identity.signedIn(ADA)
  const transient_payload = { page: 'security' }
  const password = { method: 'password', password: `a new ${PASSWORD}`, transient_payload }
  assert.equal((await browser.submit(await browser.open('settings'), password)).status, 200)
  const codes = { method: 'lookup_secret', lookup_secret_regenerate: true }
  const shown = await browser.submit(await browser.open('settings'), codes)
  const confirm = { method: 'lookup_secret', lookup_secret_confirm: true, transient_payload }
  assert.equal((await browser.submit(shown, confirm)).status, 200)
  assert.deepEqual(
    receiver.calls.map(({ body }) => body.flow.transient_payload),
    [{}, transient_payload],
  )
  // The session that asked, without the new factor.
  assert.equal(receiver.calls[1]?.body.session.authenticator_assurance_level, 'aal1')
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal2')
})
