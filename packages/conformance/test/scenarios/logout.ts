import assert from 'node:assert/strict'
import { openApp, openBrowser, refused } from '../callers.ts'
import { scenario } from '../target.ts'
import { isSignedOut, newUser, signedIn, signInApp } from '../users.ts'

export const logout = [
  scenario('a page signs out', async (target) => {
    const { browser } = await signedIn(target)
    const { logout_token, logout_url } = await browser.api.createBrowserLogoutFlow()
    assert.equal(new URL(logout_url).searchParams.get('token'), logout_token)
    await browser.api.updateLogoutFlow({ token: logout_token })
    assert.ok(await isSignedOut(browser.api))
  }),

  scenario('a link of another site cannot sign a user out', async (target) => {
    const { browser } = await signedIn(target)
    assert.equal((await refused(browser.api.updateLogoutFlow({ token: 'guessed' }))).status, 403)
    assert.ok(!(await isSignedOut(browser.api)))
  }),

  scenario('another browser cannot use the link', async (target) => {
    const { browser } = await signedIn(target)
    const { logout_token } = await browser.api.createBrowserLogoutFlow()
    const answer = await refused(openBrowser(target).api.updateLogoutFlow({ token: logout_token }))
    assert.deepEqual([answer.status, answer.body.error.id], [401, 'session_inactive'])
    assert.ok(!(await isSignedOut(browser.api)))
  }),

  scenario('without a session there is nothing to sign out of', async (target) => {
    const answer = await refused(openBrowser(target).api.createBrowserLogoutFlow())
    assert.deepEqual([answer.status, answer.body.error.id], [401, 'session_inactive'])
  }),

  scenario('an app signs out, and may do so twice', async (target) => {
    const app = openApp(target)
    const session_token = await signInApp(app, await newUser(target))
    const performNativeLogoutBody = { session_token }
    await app.performNativeLogout({ performNativeLogoutBody })
    assert.ok(await isSignedOut(app, session_token))
    await app.performNativeLogout({ performNativeLogoutBody })
  }),

  scenario('an app with an unknown token is refused', async (target) => {
    const performNativeLogoutBody = { session_token: 'ory_st_unknown' }
    const answer = await refused(openApp(target).performNativeLogout({ performNativeLogoutBody }))
    assert.equal(answer.status, 403)
  }),
]
