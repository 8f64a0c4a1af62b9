import assert from 'node:assert/strict'
import { type Answer, secretIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'

import { configured, hooked } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'
import { withHydra } from '../../servers/hydra-kit.ts'
import { formOf, GRACE, signInWith, withAcme } from '../../servers/oidc-kit.ts'
import { byCode, loginAfter } from '../../servers/planted-kit.ts'

// Kratos sets the session's cookie before these calls, so their failure ends no session.

const FAILING = { status: 501 }
const LOGIN = { method: 'password', identifier: ADA, password: PASSWORD }

for (const place of ['any', 'before'] as const) {
  test(`a browser stays signed in when a web hook fails after a new second factor: ${place}`, async () => {
    const { identity, receiver } = await hooked('settings', { [place]: [{ path: '/told' }] }, SECOND_FACTORS)
    const browser = await identity.signedIn(ADA)
    const form = await browser.open('settings')
    receiver.answers.set('/told', FAILING)
    const totp_code = codeOf(identity, secretIn(form))
    const failed: Answer = await browser.submit(form, { method: 'totp', totp_code })
    assert.ok(failed.status >= 400, String(failed.status))
    assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal2')
  })
}

test('a recovery signs in although a web hook before the settings fails', async () => {
  const { identity, receiver } = await hooked('settings', { before: [{ path: '/told' }] })
  await identity.user(ADA)
  receiver.answers.set('/told', FAILING)
  const browser = identity.browser()
  assert.equal((await byCode(identity, browser, 'recovery')).status, 502)
  assert.equal((await browser.whoami()).body.identity?.traits.email, ADA)
})

for (const kind of ['login', 'registration'] as const) {
  test(`a ${kind} signs in although the OAuth 2.0 server then fails`, async () => {
    const after = { password: { hooks: [{ hook: 'session' }] } }
    const { identity, answers } = await withHydra({ selfservice: { flows: { registration: { after } } } })
    if (kind === 'login') await identity.user(ADA)
    const browser = identity.browser()
    const form = await browser.open(kind, '?login_challenge=one')
    answers('one', {}, FAILING)
    const values =
      kind === 'login' ? LOGIN : { method: 'password', password: PASSWORD, traits: { email: ADA } }
    assert.equal((await browser.submit(form, values)).status, 500)
    assert.equal((await browser.whoami()).body.identity?.traits.email, ADA)
  })
}

test('a login that verifies an address succeeds although a web hook after the verification fails', async () => {
  const { identity, receiver } = await hooked('verification', { any: [{ path: '/told' }] })
  await identity.browser().register(ADA)
  const owner = identity.browser()
  const login = await loginAfter(owner, await byCode(identity, owner, 'verification'))
  receiver.answers.set('/told', FAILING)
  assert.equal((await owner.submit(login, LOGIN)).status, 200)
  assert.equal((await owner.whoami()).body.identity.verifiable_addresses[0].verified, true)
  await identity.stop()
  assert.equal(receiver.calls.length, 1)
})

test('a password that starts to link a provider signs in although a web hook before the second factor fails', async () => {
  const receiver = await startHookReceiver()
  const before = { hooks: [configured(receiver, { path: '/told' })] }
  const { identity, acme } = await withAcme({
    methods: { totp: { enabled: true } },
    flows: { login: { before } },
  })
  await addTotp(identity, await identity.signedIn(ADA))
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, { ...GRACE, email: ADA }))
  receiver.answers.set('/told', FAILING)
  assert.equal((await browser.submit(form, LOGIN)).status, 502)
  assert.equal((await browser.whoami()).body.error.id, 'session_aal2_required')
})

test('a form that is sent again after a web hook failed does not wait for an answer', async () => {
  let waited = 0
  const sleep = async (milliseconds: number) => {
    waited += milliseconds
  }
  const { identity, receiver } = await hooked('settings', { any: [{ path: '/told' }] }, {}, { sleep })
  const browser = await identity.signedIn(ADA)
  const form = await browser.open('settings')
  const values = { method: 'profile', traits: { email: ADA, name: 'Ada' } }
  receiver.answers.set('/told', FAILING)
  assert.ok((await browser.submit(form, values)).status >= 400)
  receiver.answers.delete('/told')
  waited = 0
  const again = await browser.submit(form, values)
  assert.deepEqual([again.status, waited], [200, 0])
})
