import assert from 'node:assert/strict'
import { Authenticator } from '@ostiary/identity/testing'
import { openBrowser, refused } from '../callers.ts'
import { type Form, inputOf, submitLogin, submitRegistration, submitSettings } from '../forms.ts'
import { Absent, newEmail, SCREENS, scenario, type Target } from '../target.ts'
import { signedIn } from '../users.ts'

export const passkeys = [
  scenario('a user adds a passkey and signs in with it alone', async (target) => {
    const { browser, email } = await signedIn(target)
    const key = new Authenticator()
    const flow = await browser.api.createBrowserSettingsFlow()
    const passkey_settings_register = key.create(optionsIn(flow, 'passkey_create_data'))
    const saved = await submitSettings(browser.api, flow, { method: 'passkey', passkey_settings_register })
    assert.equal(saved.state, 'success')
    assert.equal((await enter(target, key)).identity?.traits.email, email)
  }),

  scenario('a user makes an account with a passkey instead of a password', async (target) => {
    const { api } = openBrowser(target)
    const key = new Authenticator()
    const traits = { email: newEmail() }
    const flow = await api.createBrowserRegistrationFlow()
    const passkey_register = key.create(optionsIn(flow, 'passkey_create_data'))
    const done = await submitRegistration(api, flow, { method: 'passkey', traits, passkey_register })
    const session = await enter(target, key)
    assert.deepEqual([session.identity?.id, session.identity?.traits], [done.identity.id, traits])
  }),

  scenario('an answer to another challenge signs no user in', async (target) => {
    const { browser } = await signedIn(target)
    const key = new Authenticator()
    const flow = await browser.api.createBrowserSettingsFlow()
    const passkey_settings_register = key.create(optionsIn(flow, 'passkey_create_data'))
    await submitSettings(browser.api, flow, { method: 'passkey', passkey_settings_register })
    const { api } = openBrowser(target)
    const login = await api.createBrowserLoginFlow()
    const challenge = Buffer.alloc(32).toString('base64url')
    const passkey_login = key.get(optionsIn(login, 'passkey_challenge'), { challenge })
    const answer = await refused(submitLogin(api, login, { method: 'passkey', passkey_login }))
    assert.equal(answer.status, 400)
    assert.equal((await refused(api.toSession())).status, 401)
  }),

  scenario('the script for passkeys is served, and forms say where', async (target) => {
    const flow = await openBrowser(target).api.createBrowserLoginFlow()
    optionsIn(flow, 'passkey_challenge')
    const scripts = flow.ui.nodes.map(({ attributes }) => attributes)
    const script = scripts.find((one) => one.node_type === 'script')
    assert.ok(script?.node_type === 'script')
    assert.match(script.integrity, /^sha512-/)
    const { status, headers } = await fetch(script.src)
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
  }),
]

async function enter(target: Target, key: Authenticator) {
  const { api } = openBrowser(target)
  const flow = await api.createBrowserLoginFlow()
  const passkey_login = key.get(optionsIn(flow, 'passkey_challenge'))
  await submitLogin(api, flow, { method: 'passkey', passkey_login })
  return await api.toSession()
}

/** The test authenticator supports one site. */
export function optionsIn(form: Form, name: string) {
  const value = inputOf(form, name)?.value
  if (value === undefined) throw new Absent('the forms offer no passkeys (selfservice.methods.passkey)')
  const asked = JSON.parse(String(value))
  const { publicKey } = asked.credentialOptions ?? asked
  const site = new URL(SCREENS).hostname
  if ((publicKey.rp?.id ?? publicKey.rpId) !== site) throw new Absent(`passkeys are not those of ${site}`)
  return { publicKey }
}
