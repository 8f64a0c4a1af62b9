import assert from 'node:assert/strict'
import { type Browser, openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, messageIds, submitRecovery, submitSettings } from '../forms.ts'
import { NEW_PASSWORD, newEmail, PASSWORD, scenario, type Target, UNKNOWN_ID } from '../target.ts'
import { mailedCode, newUser, refusalOf, signInApp, wrongCode } from '../users.ts'

const KIND = 'recovery_code_valid'

export const recovery = [
  scenario('who forgot the password is let in by a code, and sets a new one', async (target) => {
    const email = await newUser(target)
    const browser = openBrowser(target)
    const settings = await recover(target, browser, email)
    assert.deepEqual(messageIds(settings), [1060001])
    const saved = await submitSettings(browser.api, settings, { method: 'password', password: NEW_PASSWORD })
    assert.equal(saved.state, 'success')
    assert.deepEqual(await refusalOf(target, email, PASSWORD), [4000006])
    assert.ok(await signInApp(openApp(target), email, NEW_PASSWORD))
  }),

  scenario('a recovered session belongs to the owner of the address', async (target) => {
    const email = await newUser(target)
    const browser = openBrowser(target)
    await recover(target, browser, email)
    const { identity, authenticator_assurance_level } = await browser.api.toSession()
    assert.deepEqual([identity?.traits.email, authenticator_assurance_level], [email, 'aal1'])
    assert.equal(identity?.verifiable_addresses?.[0]?.verified, true)
  }),

  scenario('a wrong code is refused, and the right one still works', async (target) => {
    const email = await newUser(target)
    const app = openApp(target)
    const flow = await app.createNativeRecoveryFlow()
    await submitRecovery(app, flow, { method: 'code', email })
    const code = await mailedCode(target, email, KIND)
    const wrong = await submitRecovery(app, flow, { method: 'code', code: wrongCode(code) })
    assert.deepEqual([wrong.state, messageIds(wrong)], ['sent_email', [4060006]])
    const right = await refused(submitRecovery(app, flow, { method: 'code', code }))
    assert.deepEqual([right.status, right.body.error.id], [422, 'browser_location_change_required'])
  }),

  scenario('an unknown address gets the same answer as a known one', async (target) => {
    const known = await newUser(target)
    for (const email of [known, newEmail()]) {
      const app = openApp(target)
      const flow = await app.createNativeRecoveryFlow()
      const sent = await submitRecovery(app, flow, { method: 'code', email })
      assert.deepEqual([sent.state, messageIds(sent)], ['sent_email', [1060003]])
    }
  }),

  scenario('no address, or what is none, is refused at its field', async (target) => {
    const { api } = openBrowser(target)
    for (const [address, id] of [
      [{}, 4000002],
      [{ email: 'not-an-address' }, 4000040],
    ] as const) {
      const flow = await api.createBrowserRecoveryFlow()
      const answer = await refused(submitRecovery(api, flow, { method: 'code', ...address }))
      assert.deepEqual([answer.status, fieldMessageIds(answer.body, 'email')], [400, [id]])
    }
  }),

  scenario('a recovery that was never started is not found', async (target) => {
    assert.equal((await refused(openApp(target).getRecoveryFlow({ id: UNKNOWN_ID }))).status, 404)
  }),
]

async function recover(target: Target, { api }: Browser, email: string) {
  const flow = await api.createBrowserRecoveryFlow()
  assert.equal(flow.state, 'choose_method')
  await submitRecovery(api, flow, { method: 'code', email })
  const code = await mailedCode(target, email, KIND)
  const { status, body } = await refused(submitRecovery(api, flow, { method: 'code', code }))
  assert.deepEqual([status, body.error.id], [422, 'browser_location_change_required'])
  const id = new URL(body.redirect_browser_to).searchParams.get('flow') ?? ''
  return await api.getSettingsFlow({ id })
}
