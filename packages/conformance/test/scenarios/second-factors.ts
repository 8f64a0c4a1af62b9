import assert from 'node:assert/strict'
import type { SettingsFlow, UiText } from '@ory/client-fetch'
import { oneTimeCode } from '@ostiary/identity/testing'
import { type Browser, openAdmin, openApp, openBrowser, refused } from '../callers.ts'
import { fieldMessageIds, inputOf, messageIds, submitLogin, submitSettings, textOf } from '../forms.ts'
import { Absent, scenario, type Target } from '../target.ts'
import { credentials, signedIn, signInApp } from '../users.ts'

const STEP_MS = 30_000

export const secondFactors = [
  scenario('an authenticator app is set up, and lifts the session', async (target) => {
    const { browser } = await signedIn(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const secret = totpSecret(flow)
    const wrong = { method: 'totp', totp_code: code(secret, 10) } as const
    const answer = await refused(submitSettings(browser.api, flow, wrong))
    assert.deepEqual([answer.status, fieldMessageIds(answer.body, 'totp_code')], [400, [4000008]])
    assert.equal(totpSecret(answer.body), secret, 'a wrong code does not change the secret')
    const saved = await submitSettings(browser.api, flow, { method: 'totp', totp_code: code(secret) })
    assert.deepEqual([saved.state, messageIds(saved)], ['success', [1050001]])
    assert.equal((await browser.api.toSession()).authenticator_assurance_level, 'aal2')
  }),

  scenario('with a second factor the password alone opens nothing', async (target) => {
    const { email } = await withTotp(target)
    const browser = await half(target, email)
    const whoami = await refused(browser.api.toSession())
    assert.deepEqual([whoami.status, whoami.body.error.id], [403, 'session_aal2_required'])
    assert.match(whoami.body.redirect_browser_to, /\/self-service\/login\/browser\?aal=aal2/)
    const settings = await refused(browser.api.createBrowserSettingsFlow())
    assert.deepEqual([settings.status, settings.body.error.id], [403, 'session_aal2_required'])
  }),

  scenario('a page asks for the code of the authenticator app', async (target) => {
    const { email, secret } = await withTotp(target)
    const { api } = await half(target, email)
    const flow = await api.createBrowserLoginFlow({ aal: 'aal2' })
    assert.deepEqual([flow.requested_aal, messageIds(flow)], ['aal2', [1010004]])
    const wrong = await refused(submitLogin(api, flow, { method: 'totp', totp_code: code(secret, 10) }))
    assert.deepEqual([wrong.status, messageIds(wrong.body)], [400, [4000008]])
    const { session } = await submitLogin(api, flow, { method: 'totp', totp_code: code(secret, 1) })
    assert.equal(session.authenticator_assurance_level, 'aal2')
    assert.deepEqual(
      (await api.toSession()).authentication_methods?.map(({ method, aal }) => [method, aal]),
      [
        ['password', 'aal1'],
        ['totp', 'aal2'],
      ],
    )
  }),

  scenario('an app asks for the code of the authenticator app', async (target) => {
    const { email, secret } = await withTotp(target)
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    assert.equal((await refused(app.toSession({ xSessionToken }))).status, 403)
    const flow = await app.createNativeLoginFlow({ aal: 'aal2', xSessionToken })
    await submitLogin(app, flow, { method: 'totp', totp_code: code(secret, 1) }, xSessionToken)
    assert.equal((await app.toSession({ xSessionToken })).authenticator_assurance_level, 'aal2')
  }),

  scenario('an authenticator app is taken away again', async (target) => {
    const { browser, email } = await withTotp(target)
    const flow = await browser.api.createBrowserSettingsFlow()
    const saved = await submitSettings(browser.api, flow, { method: 'totp', totp_unlink: true })
    assert.equal(saved.state, 'success')
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    assert.equal((await app.toSession({ xSessionToken })).authenticator_assurance_level, 'aal1')
  }),

  scenario('the operator takes a lost authenticator app away', async (target) => {
    const { users } = openAdmin(target)
    const { email } = await withTotp(target)
    const [user] = await users.listIdentities({ credentialsIdentifier: email })
    await users.deleteIdentityCredentials({ id: user?.id ?? '', type: 'totp' })
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    assert.equal((await app.toSession({ xSessionToken })).authenticator_assurance_level, 'aal1')
  }),

  scenario('backup codes count only when they were confirmed', async (target) => {
    const { browser, email } = await signedIn(target)
    const made = await makeBackupCodes(browser)
    assert.equal(new Set(made.codes).size, 12)
    assert.ok(await signInApp(openApp(target), email), 'they ask for nothing yet')
    assert.equal((await browser.api.toSession()).authenticator_assurance_level, 'aal1')
    const confirm = { method: 'lookup_secret', lookup_secret_confirm: true } as const
    assert.equal((await submitSettings(browser.api, made.flow, confirm)).state, 'success')
    assert.equal((await browser.api.toSession()).authenticator_assurance_level, 'aal2')
  }),

  scenario('a backup code works once', async (target) => {
    const { browser, email } = await signedIn(target)
    const made = await makeBackupCodes(browser)
    await submitSettings(browser.api, made.flow, { method: 'lookup_secret', lookup_secret_confirm: true })
    const [first = '', second = ''] = made.codes
    const body = (lookup_secret: string) => ({ method: 'lookup_secret', lookup_secret }) as const
    const { api } = await half(target, email)
    const flow = await api.createBrowserLoginFlow({ aal: 'aal2' })
    const wrong = await refused(submitLogin(api, flow, body('wrong123')))
    assert.deepEqual([wrong.status, messageIds(wrong.body)], [400, [4000016]])
    await submitLogin(api, flow, body(first))
    assert.equal((await api.toSession()).authenticator_assurance_level, 'aal2')
    const again = await half(target, email)
    const next = await again.api.createBrowserLoginFlow({ aal: 'aal2' })
    const used = await refused(submitLogin(again.api, next, body(first)))
    assert.deepEqual([used.status, messageIds(used.body)], [400, [4000012]])
    await submitLogin(again.api, next, body(second))
    assert.equal((await again.api.toSession()).authenticator_assurance_level, 'aal2')
  }),
]

function totpSecret(flow: SettingsFlow): string {
  const text = textOf(flow, 'totp_secret_key')
  if (!text) throw new Absent('the settings offer no authenticator app (selfservice.methods.totp)')
  return String((text.context as { secret: string }).secret)
}

/**
 * `steps` of 30 seconds from now: the current one for the set-up, the next for a sign-in, because
 * codes must increase (RFC 6238, 5.2).
 */
export function code(secret: string, steps = 0): string {
  return oneTimeCode(secret, Date.now() + steps * STEP_MS)
}

export async function withTotp(target: Target): Promise<{ email: string; browser: Browser; secret: string }> {
  const { email, browser } = await signedIn(target)
  const flow = await browser.api.createBrowserSettingsFlow()
  const secret = totpSecret(flow)
  await submitSettings(browser.api, flow, { method: 'totp', totp_code: code(secret) })
  return { email, browser, secret }
}

export async function half(target: Target, email: string): Promise<Browser> {
  const browser = openBrowser(target)
  const flow = await browser.api.createBrowserLoginFlow()
  const { status, body } = await refused(submitLogin(browser.api, flow, credentials(email)))
  assert.deepEqual([status, body.error.id], [422, 'browser_location_change_required'])
  assert.match(body.redirect_browser_to, /aal=aal2/)
  return browser
}

async function makeBackupCodes({ api }: Browser): Promise<{ flow: SettingsFlow; codes: string[] }> {
  const flow = await api.createBrowserSettingsFlow()
  if (!inputOf(flow, 'lookup_secret_regenerate')) {
    throw new Absent('the settings offer no backup codes (selfservice.methods.lookup_secret)')
  }
  const made = await submitSettings(api, flow, { method: 'lookup_secret', lookup_secret_regenerate: true })
  const shown = textOf(made, 'lookup_secret_codes')
  assert.ok(shown, 'the new codes are shown')
  const { secrets } = shown.context as { secrets: UiText[] }
  return { flow: made, codes: secrets.map(({ context }) => (context as { secret: string }).secret) }
}
