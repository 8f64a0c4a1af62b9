import assert from 'node:assert/strict'
import { openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, messageIds, submitRegistration } from '../forms.ts'
import { newEmail, PASSWORD, scenario, UNKNOWN_ID } from '../target.ts'
import { newUser } from '../users.ts'

export const registration = [
  scenario('a page makes an account, and a session comes with it', async (target) => {
    const { api, cookies } = openBrowser(target)
    const email = newEmail()
    const flow = await api.createBrowserRegistrationFlow()
    assert.deepEqual([flow.state, flow.type, flow.ui.method], ['choose_method', 'browser', 'POST'])
    const again = await api.getRegistrationFlow({ id: flow.id })
    assert.deepEqual([again.id, again.ui.action], [flow.id, flow.ui.action])
    const done = await submitRegistration(api, flow, {
      method: 'password',
      password: PASSWORD,
      traits: { email, name: 'Ada' },
    })
    assert.deepEqual(done.identity.traits, { email, name: 'Ada' })
    assert.equal(done.session_token, undefined, 'a browser is given no token')
    assert.ok(cookies.size >= 2, 'a session and a CSRF token are kept in cookies')
    assert.equal((await api.toSession()).identity?.id, done.identity.id)
  }),

  scenario('an app makes an account, and is given a session token', async (target) => {
    const app = openApp(target)
    const email = newEmail()
    const flow = await app.createNativeRegistrationFlow()
    assert.equal(flow.type, 'api')
    const body = { method: 'password', password: PASSWORD, traits: { email } } as const
    const { session_token, identity } = await submitRegistration(app, flow, body)
    assert.ok(session_token)
    const session = await app.toSession({ xSessionToken: session_token })
    assert.deepEqual([session.active, session.identity?.id], [true, identity.id])
    assert.deepEqual([session.authenticator_assurance_level], ['aal1'])
  }),

  scenario('who has registered is led on to the verification of the address', async (target) => {
    const app = openApp(target)
    const email = newEmail()
    const flow = await app.createNativeRegistrationFlow()
    const body = { method: 'password', password: PASSWORD, traits: { email } } as const
    const { continue_with = [] } = await submitRegistration(app, flow, body)
    const next = continue_with.find(({ action }) => action === 'show_verification_ui')
    assert.ok(next?.action === 'show_verification_ui')
    assert.equal(next.flow.verifiable_address, email)
    const verification = await app.getVerificationFlow({ id: next.flow.id })
    assert.equal(verification.state, 'sent_email')
  }),

  scenario('what is missing or wrong is said at its field, and the form stays', async (target) => {
    const { api } = openBrowser(target)
    const flow = await api.createBrowserRegistrationFlow()
    const submit = (password: string, traits: object) =>
      refused(submitRegistration(api, flow, { method: 'password', password, traits }))
    const nothing = await submit('', {})
    assert.equal(nothing.status, 400)
    assert.deepEqual(fieldMessageIds(nothing.body, 'traits.email'), [4000002])
    const noAddress = await submit(PASSWORD, { email: 'not-an-address' })
    assert.deepEqual(fieldMessageIds(noAddress.body, 'traits.email'), [4000040])
    const short = await submit('a1!', { email: newEmail() })
    assert.deepEqual(fieldMessageIds(short.body, 'password'), [4000032])
    const email = newEmail()
    const alike = await submit(email, { email })
    assert.deepEqual(fieldMessageIds(alike.body, 'password'), [4000031])
    assert.equal(alike.body.id, flow.id)
    await submitRegistration(api, flow, { method: 'password', password: PASSWORD, traits: { email } })
  }),

  scenario('an address that is taken is refused, in capitals too', async (target) => {
    const email = await newUser(target)
    const app = openApp(target)
    for (const taken of [email, email.toUpperCase()]) {
      const flow = await app.createNativeRegistrationFlow()
      const body = { method: 'password', password: PASSWORD, traits: { email: taken } } as const
      const answer = await refused(submitRegistration(app, flow, body))
      assert.deepEqual([answer.status, messageIds(answer.body)], [400, [4000007]])
    }
  }),

  scenario('a form without its CSRF token is refused', async (target) => {
    const { api } = openBrowser(target)
    const flow = await api.createBrowserRegistrationFlow()
    const traits = { email: newEmail() }
    for (const token of [{}, { csrf_token: 'd3Jvbmc=' }]) {
      const updateRegistrationFlowBody = { method: 'password', password: PASSWORD, traits, ...token } as const
      const answer = await refused(api.updateRegistrationFlow({ flow: flow.id, updateRegistrationFlowBody }))
      assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_csrf_violation'])
    }
  }),

  scenario('a signed-in user needs no other account', async (target) => {
    const { api } = openBrowser(target)
    const flow = await api.createBrowserRegistrationFlow()
    const traits = { email: newEmail() }
    await submitRegistration(api, flow, { method: 'password', password: PASSWORD, traits })
    const answer = await refused(api.createBrowserRegistrationFlow())
    assert.deepEqual([answer.status, answer.body.error.id], [400, 'session_already_available'])
  }),

  scenario('a registration that was never started is not found', async (target) => {
    const answer = await refused(openApp(target).getRegistrationFlow({ id: UNKNOWN_ID }))
    assert.deepEqual([answer.status, answer.body.error.code], [404, 404])
  }),
]
