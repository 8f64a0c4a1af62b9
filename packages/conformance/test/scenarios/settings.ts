import assert from 'node:assert/strict'
import { openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, inputOf, messageIds, submitSettings } from '../forms.ts'
import { NEW_PASSWORD, newEmail, PASSWORD, scenario } from '../target.ts'
import { newUser, refusalOf, signedIn, signInApp } from '../users.ts'

export const settings = [
  scenario('a page changes the profile', async (target) => {
    const { browser, email } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    assert.equal(flow.state, 'show_form')
    assert.equal(inputOf(flow, 'traits.email')?.value, email)
    const saved = await submitSettings(browser.api, flow, {
      method: 'profile',
      traits: { email, name: 'Ada' },
    })
    assert.deepEqual([saved.state, messageIds(saved)], ['success', [1050001]])
    assert.deepEqual((await browser.api.toSession()).identity?.traits, { email, name: 'Ada' })
  }),

  scenario('an app changes profile and password with its token', async (target) => {
    const email = await newUser(target)
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    const flow = await app.createNativeSettingsFlow({ xSessionToken })
    const profile = { method: 'profile', traits: { email, name: 'Grace' } } as const
    assert.equal((await submitSettings(app, flow, profile, xSessionToken)).state, 'success')
    const next = await app.createNativeSettingsFlow({ xSessionToken })
    const password = { method: 'password', password: NEW_PASSWORD } as const
    assert.equal((await submitSettings(app, next, password, xSessionToken)).state, 'success')
    assert.equal((await app.toSession({ xSessionToken })).identity?.traits.name, 'Grace')
    assert.ok(await signInApp(app, email, NEW_PASSWORD))
  }),

  scenario('after a new password the old one opens nothing', async (target) => {
    const { browser, email } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    await submitSettings(browser.api, flow, { method: 'password', password: NEW_PASSWORD })
    assert.deepEqual(await refusalOf(target, email, PASSWORD), [4000006])
    assert.ok(await signInApp(openApp(target), email, NEW_PASSWORD))
  }),

  scenario('a password that is short or like the address is refused at its field', async (target) => {
    const { browser, email } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    for (const [password, id] of [
      ['a1!', 4000032],
      [email, 4000031],
    ] as const) {
      const answer = await refused(submitSettings(browser.api, flow, { method: 'password', password }))
      assert.deepEqual([answer.status, fieldMessageIds(answer.body, 'password')], [400, [id]])
    }
  }),

  scenario('traits that do not fit the schema are refused, and nothing changes', async (target) => {
    const { browser, email } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const long = { method: 'profile', traits: { email, name: 'x'.repeat(101) } } as const
    const answer = await refused(submitSettings(browser.api, flow, long))
    assert.equal(answer.status, 400)
    assert.equal(fieldMessageIds(answer.body, 'traits.name').length, 1)
    assert.deepEqual((await browser.api.toSession()).identity?.traits, { email })
  }),

  scenario('an address of another user cannot be taken', async (target) => {
    const taken = await newUser(target)
    const { browser, email } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const answer = await refused(
      submitSettings(browser.api, flow, { method: 'profile', traits: { email: taken } }),
    )
    assert.equal(answer.status, 400)
    assert.equal((await browser.api.toSession()).identity?.traits.email, email)
  }),

  scenario('a new address has to be verified anew', async (target) => {
    const { browser } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const email = newEmail()
    await submitSettings(browser.api, flow, { method: 'profile', traits: { email } })
    const addresses = (await browser.api.toSession()).identity?.verifiable_addresses ?? []
    assert.deepEqual(
      addresses.map(({ value, verified }) => [value, verified]),
      [[email, false]],
    )
    assert.ok(await signInApp(openApp(target), email))
  }),

  scenario('without a session there are no settings', async (target) => {
    const page = await refused(openBrowser(target).api.createBrowserSettingsFlow())
    assert.deepEqual([page.status, page.body.error.id], [401, 'session_inactive'])
    const native = await refused(openApp(target).createNativeSettingsFlow({ xSessionToken: 'ory_st_wrong' }))
    assert.deepEqual([native.status, native.body.error.id], [401, 'session_inactive'])
  }),

  scenario('the settings of another user are out of reach', async (target) => {
    const { browser: owner, email } = await signedIn(target)
    const flow = await owner.api.createBrowserSettingsFlow()
    const { browser: thief } = await signedIn(target)
    assert.equal((await refused(thief.api.getSettingsFlow({ id: flow.id }))).status, 403)
    const own = await thief.api.createBrowserSettingsFlow()
    const theft = submitSettings(
      thief.api,
      { ...own, id: flow.id },
      { method: 'password', password: NEW_PASSWORD },
    )
    assert.ok([400, 403].includes((await refused(theft)).status))
    assert.ok(await signInApp(openApp(target), email))
  }),

  scenario('a form without its CSRF token is refused', async (target) => {
    const { browser } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const updateSettingsFlowBody = { method: 'password', password: NEW_PASSWORD } as const
    const answer = await refused(browser.api.updateSettingsFlow({ flow: flow.id, updateSettingsFlowBody }))
    assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_csrf_violation'])
  }),
]
