import assert from 'node:assert/strict'
import { Authenticator } from '@ostiary/identity/testing'
import { openApp, openBrowser, refused } from '../callers.ts'
import { type Form, submitLogin, submitRecovery, submitRegistration, submitSettings } from '../forms.ts'
import { newEmail, PASSWORD, SCREENS, scenario, type Target } from '../target.ts'
import { credentials, mailedCode, newUser, signedIn, wrongCode } from '../users.ts'
import { optionsIn } from './passkeys.ts'
import { code, half, withTotp } from './second-factors.ts'

const HOST = new URL(SCREENS).host

/** Harmless to a service with other users: each attacks an account that it creates. */
export const attacks = [
  scenario('no spelling of return_to leads to another site', async (target) => {
    for (const returnTo of [
      `http://${HOST}.evil.example/`,
      `http://${HOST}@evil.example/`,
      `http://evil.example\\@${HOST}/`,
      `//${HOST}.evil.example/`,
      `\\\\evil.example/`,
      '/\\evil.example/',
      'http:///evil.example/',
      'javascript://app.test/%0aalert(1)',
      ' http://evil.example/',
    ]) {
      const { status } = await refused(openBrowser(target).api.createBrowserLoginFlow({ returnTo }))
      assert.equal(status, 400, returnTo)
    }
  }),

  scenario('a form of the attacker signs nobody in with a token of the victim', async (target) => {
    const email = await newUser(target)
    const planted = await openBrowser(target).api.createBrowserLoginFlow()
    const { api } = openBrowser(target)
    const { ui } = await api.createBrowserLoginFlow()
    const answer = await refused(submitLogin(api, { ...planted, ui }, credentials(email)))
    assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_csrf_violation'])
  }),

  scenario('a cookie from before a re-authentication opens nothing', async (target) => {
    const { browser, email } = await signedIn(target)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const flow = await browser.api.createBrowserLoginFlow({ refresh: true })
    await submitLogin(browser.api, flow, credentials(email))
    assert.equal((await fetch(`${target.publicUrl}/sessions/whoami`, { headers: { cookie } })).status, 401)
  }),

  scenario('a code of an authenticator app signs in once', async (target) => {
    const { email, secret } = await withTotp(target)
    const totp_code = code(secret, 1)
    for (const isFirst of [true, false]) {
      const { api } = await half(target, email)
      const flow = await api.createBrowserLoginFlow({ aal: 'aal2' })
      const signIn = submitLogin(api, flow, { method: 'totp', totp_code })
      if (isFirst) await signIn
      else assert.equal((await refused(signIn)).status, 400)
    }
  }),

  scenario('a code for recovery works once', async (target) => {
    const { opens, code } = await recovering(target)
    assert.deepEqual([await opens(code), await opens(code)], [true, false])
  }),

  scenario('a code for recovery cannot be guessed', async (target) => {
    const { opens, code } = await recovering(target)
    for (let guess = 0; guess < 10; guess += 1) assert.equal(await opens(wrongCode(code)), false)
    assert.equal(await opens(code), false)
  }),

  scenario('a forwarded host does not receive the form', async (target) => {
    const headers = { accept: 'application/json', 'X-Forwarded-Host': 'evil.example' }
    const response = await fetch(`${target.publicUrl}/self-service/login/api`, { headers })
    const { ui } = (await response.json()) as Form
    assert.doesNotMatch(ui.action, /evil\.example/)
  }),

  scenario('a sign-up cannot verify its address, or set its metadata', async (target) => {
    const { api } = openBrowser(target)
    const email = newEmail()
    const more = {
      verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
      metadata_public: { role: 'admin' },
    }
    const body = { method: 'password', password: PASSWORD, traits: { email }, ...more } as const
    await submitRegistration(api, await api.createBrowserRegistrationFlow(), body).catch(() => {})
    const session = await api.toSession().catch(() => undefined)
    assert.deepEqual(session?.identity?.metadata_public ?? null, null)
    assert.notEqual(session?.identity?.verifiable_addresses?.[0]?.verified, true)
  }),

  scenario('a copy of a passkey, whose counter goes back, is refused', async (target) => {
    const { browser } = await signedIn(target)
    const key = new Authenticator()
    const flow = await browser.api.createBrowserSettingsFlow()
    const passkey_settings_register = key.create(optionsIn(flow, 'passkey_create_data'))
    await submitSettings(browser.api, flow, { method: 'passkey', passkey_settings_register })
    const enter = async (counter: number) => {
      const { api } = openBrowser(target)
      const flow = await api.createBrowserLoginFlow()
      const passkey_login = key.get(optionsIn(flow, 'passkey_challenge'), { counter })
      return await submitLogin(api, flow, { method: 'passkey', passkey_login })
    }
    await enter(5)
    assert.equal((await refused(enter(3))).status, 400)
  }),
]

async function recovering(target: Target) {
  const email = await newUser(target)
  const app = openApp(target)
  const flow = await app.createNativeRecoveryFlow()
  await submitRecovery(app, flow, { method: 'code', email })
  const code = await mailedCode(target, email, 'recovery_code_valid')
  const opens = async (code: string) => {
    const submitted = submitRecovery(app, flow, { method: 'code', code })
    const wrong = await submitted.then(
      () => true,
      () => false,
    )
    return !wrong && /settings/.test((await refused(submitted)).body.redirect_browser_to)
  }
  return { code, opens }
}
