import assert from 'node:assert/strict'
import { openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, messageIds, submitLogin } from '../forms.ts'
import { Absent, newEmail, SCREENS, scenario, UNKNOWN_ID } from '../target.ts'
import { credentials, newUser, refusalOf, signedIn, signInApp } from '../users.ts'

export const login = [
  scenario('a page signs a user in with a password', async (target) => {
    const email = await newUser(target)
    const { api } = openBrowser(target)
    const flow = await api.createBrowserLoginFlow()
    assert.deepEqual([flow.type, flow.requested_aal, flow.refresh], ['browser', 'aal1', false])
    assert.equal((await api.getLoginFlow({ id: flow.id })).id, flow.id)
    const { session, session_token } = await submitLogin(api, flow, credentials(email))
    assert.equal(session_token, undefined)
    assert.deepEqual(
      session.authentication_methods?.map(({ method, aal }) => [method, aal]),
      [['password', 'aal1']],
    )
    assert.equal((await api.toSession()).id, session.id)
  }),

  scenario('an app signs a user in and uses its token', async (target) => {
    const email = await newUser(target)
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    assert.equal((await app.toSession({ xSessionToken })).identity?.traits.email, email)
  }),

  scenario('the spelling of the address does not matter', async (target) => {
    const email = await newUser(target)
    assert.ok(await signInApp(openApp(target), email.toUpperCase()))
  }),

  scenario('a wrong password and an unknown address look the same', async (target) => {
    const email = await newUser(target)
    assert.deepEqual(await refusalOf(target, email, 'not this one'), [4000006])
    assert.deepEqual(await refusalOf(target, newEmail(), 'not this one'), [4000006])
  }),

  scenario('an empty form is refused at its fields', async (target) => {
    const { api } = openBrowser(target)
    const flow = await api.createBrowserLoginFlow()
    const { status, body } = await refused(submitLogin(api, flow, credentials('', '')))
    assert.equal(status, 400)
    assert.deepEqual(fieldMessageIds(body, 'identifier'), [4000002])
    assert.deepEqual(fieldMessageIds(body, 'password'), [4000002])
  }),

  scenario('a refused form is still there when it is fetched again', async (target) => {
    const { api } = openBrowser(target)
    const flow = await api.createBrowserLoginFlow()
    await refused(submitLogin(api, flow, credentials(newEmail(), 'not this one')))
    assert.deepEqual(messageIds(await api.getLoginFlow({ id: flow.id })), [4000006])
  }),

  scenario('a form without its CSRF token is refused', async (target) => {
    const email = await newUser(target)
    const { api } = openBrowser(target)
    const flow = await api.createBrowserLoginFlow()
    const body = { flow: flow.id, updateLoginFlowBody: credentials(email) }
    const answer = await refused(api.updateLoginFlow(body))
    assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_csrf_violation'])
    const native = await refused(openApp(target).updateLoginFlow(body))
    assert.deepEqual([native.status, native.body.error.id], [403, 'security_csrf_violation'])
  }),

  scenario('another browser cannot fetch the form', async (target) => {
    const flow = await openBrowser(target).api.createBrowserLoginFlow()
    const answer = await refused(openBrowser(target).api.getLoginFlow({ id: flow.id }))
    assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_csrf_violation'])
  }),

  scenario('a signed-in user is told so, in a browser and in an app', async (target) => {
    const { browser, email } = await signedIn(target)
    const page = await refused(browser.api.createBrowserLoginFlow())
    assert.deepEqual([page.status, page.body.error.id], [400, 'session_already_available'])
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    const native = await refused(app.createNativeLoginFlow({ xSessionToken }))
    assert.deepEqual([native.status, native.body.error.id], [400, 'session_already_available'])
  }),

  scenario(
    'refresh asks who is signed in for the password again, and the session goes on',
    async (target) => {
      const { browser, email } = await signedIn(target)
      const before = await browser.api.toSession()
      const flow = await browser.api.createBrowserLoginFlow({ refresh: true })
      assert.deepEqual([flow.refresh, messageIds(flow)], [true, [1010003]])
      const wrong = await refused(submitLogin(browser.api, flow, credentials(email, 'not this one')))
      assert.deepEqual(messageIds(wrong.body), [4000006])
      await submitLogin(browser.api, flow, credentials(email))
      const after = await browser.api.toSession()
      assert.equal(after.id, before.id)
      assert.ok(Number(after.authenticated_at) > Number(before.authenticated_at))
    },
  ),

  scenario('an allowed return_to is where the sign-in leads, a foreign one is refused', async (target) => {
    const email = await newUser(target)
    const { api } = openBrowser(target)
    const foreign = await refused(api.createBrowserLoginFlow({ returnTo: 'https://evil.example/' }))
    assert.deepEqual([foreign.status, foreign.body.error.id], [400, 'self_service_flow_return_to_forbidden'])
    const returnTo = `${SCREENS}/after`
    const flow = await api.createBrowserLoginFlow({ returnTo }).catch(() => {
      throw new Absent(`${SCREENS}/ is not among the allowed return addresses`)
    })
    assert.equal(flow.return_to, returnTo)
    const { continue_with = [] } = await submitLogin(api, flow, credentials(email))
    const next = continue_with.find(({ action }) => action === 'redirect_browser_to')
    assert.ok(next?.action === 'redirect_browser_to')
    assert.equal(next.redirect_browser_to, returnTo)
  }),

  scenario('a sign-in that was never started is not found', async (target) => {
    const app = openApp(target)
    assert.equal((await refused(app.getLoginFlow({ id: UNKNOWN_ID }))).status, 404)
    const updateLoginFlowBody = credentials(newEmail())
    assert.equal((await refused(app.updateLoginFlow({ flow: UNKNOWN_ID, updateLoginFlowBody }))).status, 404)
  }),
]
