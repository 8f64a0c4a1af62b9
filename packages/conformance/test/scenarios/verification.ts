import assert from 'node:assert/strict'
import { openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, messageIds, submitVerification } from '../forms.ts'
import { newEmail, scenario, UNKNOWN_ID } from '../target.ts'
import { mailedCode, newUserIn, newUserOf, signInApp, wrongCode } from '../users.ts'

const KIND = 'verification_code_valid'

export const verification = [
  scenario('a page verifies an address by the code that was mailed to it', async (target) => {
    const browser = openBrowser(target)
    const email = await newUserIn(browser)
    await mailedCode(target, email, KIND)
    const { api } = browser
    const flow = await api.createBrowserVerificationFlow()
    const sent = await submitVerification(api, flow, { method: 'code', email })
    assert.deepEqual([sent.state, messageIds(sent)], ['sent_email', [1080003]])
    const code = await mailedCode(target, email, KIND, 2)
    const wrong = await submitVerification(api, flow, { method: 'code', code: wrongCode(code) })
    assert.deepEqual([wrong.state, messageIds(wrong)], ['sent_email', [4070006]])
    const passed = await submitVerification(api, flow, { method: 'code', code })
    assert.deepEqual([passed.state, messageIds(passed)], ['passed_challenge', [1080002]])
    const app = openApp(target)
    const { identity } = await app.toSession({ xSessionToken: await signInApp(app, email) })
    const [address] = identity?.verifiable_addresses ?? []
    assert.deepEqual(
      [address?.value, address?.verified, address?.status, address?.via],
      [email, true, 'completed', 'email'],
    )
  }),

  scenario('an app verifies an address, and a code works once', async (target) => {
    const app = openApp(target)
    const { email, verification } = await newUserOf(app)
    const flow = await app.getVerificationFlow({ id: verification })
    const code = await mailedCode(target, email, KIND)
    const passed = await submitVerification(app, flow, { method: 'code', code })
    assert.equal(passed.state, 'passed_challenge')
    const again = await refused(submitVerification(app, flow, { method: 'code', code }))
    assert.deepEqual([again.status, again.body.error.id], [410, 'self_service_flow_replaced'])
  }),

  scenario('an unknown address gets the same answer as a known one', async (target) => {
    const app = openApp(target)
    const flow = await app.createNativeVerificationFlow()
    const sent = await submitVerification(app, flow, { method: 'code', email: newEmail() })
    assert.deepEqual([sent.state, messageIds(sent)], ['sent_email', [1080003]])
  }),

  scenario('no address, or what is none, is refused at its field', async (target) => {
    const app = openApp(target)
    for (const [address, id] of [
      [{}, 4000002],
      [{ email: 'not-an-address' }, 4000040],
    ] as const) {
      const flow = await app.createNativeVerificationFlow()
      const answer = await refused(submitVerification(app, flow, { method: 'code', ...address }))
      assert.deepEqual([answer.status, fieldMessageIds(answer.body, 'email')], [400, [id]])
    }
  }),

  scenario('a verification that was never started is not found', async (target) => {
    assert.equal((await refused(openApp(target).getVerificationFlow({ id: UNKNOWN_ID }))).status, 404)
  }),
]
