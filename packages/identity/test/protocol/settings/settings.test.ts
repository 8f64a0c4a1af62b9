import assert from 'node:assert/strict'
import type { Answer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const NEW_PASSWORD = 'battery staple 7 horse'

test('saves and shows a trait', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings')
  assert.equal(flow.body.state, 'show_form')
  assert.equal(nodeOf(flow, 'traits.email')?.value, ADA)
  const saved = await browser.submit(flow, profile({ email: ADA, name: 'Ada' }))
  assert.deepEqual([saved.status, saved.body.state, messageIds(saved)], [200, 'success', [1050001]])
  assert.equal(nodeOf(saved, 'traits.name')?.value, 'Ada')
  const here = `http://app.test/settings?flow=${flow.body.id}`
  assert.deepEqual(saved.body, {
    ...saved.body,
    continue_with: [{ action: 'redirect_browser_to', redirect_browser_to: here }],
  })
  assert.equal((await browser.whoami()).body.identity.traits.name, 'Ada')
})

test('a saved form can be submitted again', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings')
  const first = await browser.submit(flow, profile({ email: ADA, name: 'Once' }))
  assert.notEqual(first.body.ui.action, flow.body.ui.action)
  const second = await browser.submit(first, profile({ email: ADA, name: 'Twice' }))
  const third = await browser.submit(
    { ...second, body: { ...second.body, ui: { ...second.body.ui, action: flow.body.ui.action } } },
    profile({ email: ADA, name: 'Thrice' }),
  )
  assert.deepEqual([second.status, third.status], [200, 200])
  assert.equal((await browser.whoami()).body.identity.traits.name, 'Thrice')
})

test('redirects a page to its return address', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings', '?return_to=http%3A%2F%2Fapp.test%2Fafter')
  const done = await browser.post(flow.body.ui.action, {
    csrf_token: String(tokenOf(flow)),
    method: 'profile',
    'traits.email': ADA,
    'traits.name': 'Ada',
  })
  assert.deepEqual([done.status, done.location], [303, 'http://app.test/after'])
})

test('an app keeps its token after a change', async () => {
  const { identity } = await signedIn()
  const app = identity.app()
  await app.signIn(ADA)
  const saved = await app.submit(await app.open('settings'), { method: 'password', password: NEW_PASSWORD })
  assert.deepEqual([saved.status, saved.body.state], [200, 'success'])
  assert.equal('continue_with' in saved.body, false)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 200)
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
  assert.equal((await identity.app().signIn(ADA)).status, 400)
})

test('settings require a session', async () => {
  const { identity, browser } = await signedIn()
  const flow = await browser.open('settings')
  const stranger = identity.browser()
  const opened = await stranger.get('/self-service/settings/browser')
  assert.deepEqual([opened.status, opened.body.error.id], [401, 'session_inactive'])
  const page = await stranger.navigate(
    '/self-service/settings/browser?return_to=http%3A%2F%2Fapp.test%2Fafter',
  )
  assert.deepEqual(
    [page.status, page.location],
    [303, 'http://identity.test/self-service/login/browser?return_to=http%3A%2F%2Fapp.test%2Fafter'],
  )
  assert.equal((await stranger.get(`/self-service/settings/flows?id=${flow.body.id}`)).status, 401)
  assert.equal((await stranger.submit(flow, profile({ email: ADA, name: 'Eve' }))).status, 401)
  const visit = await stranger.navigate(flow.body.ui.action)
  assert.deepEqual([visit.status, visit.location], [302, 'http://app.test/login'])
})

test('SEC-21 settings belong to their user', async () => {
  const { identity, browser } = await signedIn()
  const flow = await browser.open('settings')
  const eve = await identity.signedIn('eve@example.com')
  const own = await eve.open('settings')
  const read = await eve.get(`/self-service/settings/flows?id=${flow.body.id}`)
  const sent = await eve.send(
    'POST',
    flow.body.ui.action,
    { csrf_token: tokenOf(own), ...profile({ email: ADA, name: 'Eve' }) },
    {},
  )
  for (const answer of [read, sent]) {
    assert.deepEqual([answer.status, answer.body.error.id], [403, 'security_identity_mismatch'])
    assert.equal(JSON.stringify(answer.body).includes(ADA), false)
  }
  assert.equal((await browser.whoami()).body.identity.traits.name, undefined)
})

test('SEC-57 a form changes traits only', async () => {
  const { identity, browser } = await signedIn()
  const before = (await identity.admin('GET', `/admin/identities/${await idOf(browser)}`)).body
  const extra = Object.fromEntries(
    [
      ...['id', 'state', 'role', 'identity_id', 'userId', 'nid', 'schema_id', 'schema_url', 'external_id'],
      ...['metadata_admin', 'metadata_public', 'credentials', 'verified', 'verifiable_addresses'],
      ...['recovery_addresses', 'aal', 'available_aal', 'created_at', 'updated_at', 'state_changed_at'],
      ...['organization_id', 'change', 'put', 'remove', 'proved', 'memo', 'identity', 'completion', 'flow'],
      ...['__proto__x', 'constructor', 'isAdmin', 'roles', 'privileged', 'session', 'email_verified'],
    ].map((name) => [name, { inactive: true }]),
  )
  const allowed = await browser.submit(await browser.open('settings'), {
    ...extra,
    ...profile({ email: ADA }),
  })
  assert.equal(allowed.status, 200)
  const refused = await browser.submit(await browser.open('settings'), profile({ ...extra, email: ADA }))
  assert.equal(refused.status, 400)
  const after = (await identity.admin('GET', `/admin/identities/${before.id}`)).body
  // Kratos compatibility: `state_changed_at` is gone.
  const { state_changed_at: _, ...kept } = before
  assert.deepEqual({ ...after, updated_at: before.updated_at }, kept)
  assert.equal(JSON.stringify([allowed.body, refused.body]).includes('metadata_admin'), false)
})

test('reports trait errors at their fields', async () => {
  const { identity, browser } = await signedIn()
  await identity.user('eve@example.com')
  const flow = await browser.open('settings')
  const bad = await browser.submit(flow, profile({ email: 'nope', name: 'x'.repeat(101) }))
  assert.deepEqual(fieldMessageIds(bad, 'traits.email'), [4000040])
  assert.deepEqual(fieldMessageIds(bad, 'traits.name'), [4000017])
  assert.equal(nodeOf(bad, 'traits.email')?.value, 'nope')
  const taken = await browser.submit(flow, profile({ email: 'EVE@example.com' }))
  assert.deepEqual([taken.status, messageIds(taken)], [400, [4000007]])
  assert.equal((await browser.whoami()).body.identity.traits.email, ADA)
  const nothing = await browser.submit(flow, { method: 'profile' })
  assert.deepEqual(fieldMessageIds(nothing, 'traits.email'), [4000002])
})

test('a disabled method returns 404, and the form reports an unknown one', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings')
  assert.equal((await browser.submit(flow, { method: 'oidc', link: 'x' })).status, 404)
  assert.deepEqual(messageIds(await browser.submit(flow, { method: 'telepathy' })), [4010004])
})

test('a new password must satisfy the policy', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings')
  const told = async (password: string) =>
    fieldMessageIds(await browser.submit(flow, { method: 'password', password }), 'password')
  assert.deepEqual(await told(''), [4000002])
  assert.deepEqual(await told('a1!'), [4000032])
  assert.deepEqual(await told(ADA), [4000031])
  assert.deepEqual(await told(PASSWORD), [4000039])
})

test('a new address signs in at once and frees the old one', async () => {
  const { identity, browser } = await signedIn({
    selfservice: {
      flows: { settings: { after: { profile: { hooks: [{ hook: 'show_verification_ui' }] } } } },
    },
  })
  const saved: Answer = await browser.submit(
    await browser.open('settings'),
    profile({ email: 'new@example.com' }),
  )
  const [address, ...others] = saved.body.identity.verifiable_addresses
  assert.deepEqual(
    [address.value, address.verified, address.status, others.length],
    ['new@example.com', false, 'sent', 0],
  )
  const verification = verificationIn(saved)
  assert.ok(verification?.url)
  assert.equal((await identity.app().signIn(ADA)).status, 400)
  assert.equal((await identity.app().signIn('new@example.com')).status, 200)
  const form = await browser.get(`/self-service/verification/flows?id=${verification.id}`)
  await browser.submit(form, { method: 'code', code: await identity.code('new@example.com') })
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, true)
  assert.equal((await identity.browser().register(ADA)).status, 200)
})

test('an address stays verified in another case', async () => {
  const { identity, browser } = await signedIn()
  const saved: Answer = await browser.submit(
    await browser.open('settings'),
    profile({ email: 'ADA@example.com' }),
  )
  assert.equal(saved.body.identity.traits.email, 'ADA@example.com')
  assert.equal(saved.body.identity.verifiable_addresses[0].verified, true)
  assert.deepEqual(await identity.mails(ADA), [])
})

test('SEC-16 removing an address revokes its code', async () => {
  const { identity, browser } = await signedIn()
  const flow = await browser.open('verification')
  const sent = await browser.submit(flow, { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  await browser.submit(await browser.open('settings'), profile({ email: 'new@example.com' }))
  const used = await browser.submit(sent, { method: 'code', code })
  assert.equal(used.body.state, 'sent_email')
})

test('SEC-16 a new password revokes other sessions if configured', async () => {
  const hooks = [{ hook: 'revoke_active_sessions' }]
  const { identity, browser } = await signedIn({
    selfservice: { flows: { settings: { after: { password: { hooks } } } } },
  })
  const other = identity.browser()
  await other.signIn(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  const flow = await browser.open('settings')
  await browser.submit(flow, profile({ email: ADA, name: 'Ada' }))
  assert.equal((await other.whoami()).status, 200)
  await browser.submit(flow, { method: 'password', password: NEW_PASSWORD })
  assert.equal((await browser.whoami()).status, 200)
  assert.equal((await other.whoami()).status, 401)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 401)
})

test('an expired form leads to a new one', async () => {
  const { identity, browser } = await signedIn()
  const flow = await browser.open('settings')
  identity.advance(3_600_000)
  assert.equal((await browser.get(`/self-service/settings/flows?id=${flow.body.id}`)).status, 410)
  const over: Answer = await browser.submit(flow, profile({ email: ADA, name: 'Late' }))
  assert.deepEqual([over.status, over.body.error.id], [410, 'self_service_flow_expired'])
  const next = await browser.get(`/self-service/settings/flows?id=${over.body.use_flow_id}`)
  assert.deepEqual([messageIds(next), nodeOf(next, 'traits.email')?.value], [[4050001], ADA])
})

test('FUZ-01 an older form works after a reload', async () => {
  const { browser } = await signedIn()
  const flow = await browser.open('settings')
  await browser.navigate((await browser.get('/self-service/logout/browser')).body.logout_url)
  await browser.signIn(ADA)
  assert.equal((await browser.submit(flow, profile({ email: ADA, name: 'Ada' }))).status, 403)
  const reloaded = await browser.get(`/self-service/settings/flows?id=${flow.body.id}`)
  assert.equal((await browser.submit(reloaded, profile({ email: ADA, name: 'Ada' }))).status, 200)
})

function profile(traits: object): object {
  return { method: 'profile', traits }
}

test('a disabled security key needs its name before it is unknown', async () => {
  const browser = await (await createTestIdentity()).signedIn('ada@example.com')
  const flow = await browser.open('settings')
  const nameless = await browser.submit(flow, { webauthn_register: '{}' })
  assert.deepEqual(fieldMessageIds(nameless, 'webauthn_register_displayname'), [4000002])
  const named = { webauthn_register: '{}', webauthn_register_displayname: 'blue' }
  assert.equal((await browser.submit(flow, named)).status, 404)
})

async function signedIn(
  overrides: { readonly [name: string]: unknown } = {},
): Promise<{ identity: TestIdentity; browser: Browser }> {
  const identity = await createTestIdentity(overrides)
  const browser = await identity.signedIn(ADA)
  return { identity, browser }
}

async function idOf(browser: Browser): Promise<string> {
  return (await browser.whoami()).body.identity.id
}

test('a new key needs a name before disabled keys are reported', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const key = { method: 'webauthn', webauthn_register: '{}' }
  const nameless = await browser.submit(await browser.open('settings'), key)
  assert.deepEqual(
    [nameless.status, fieldMessageIds(nameless, 'webauthn_register_displayname')],
    [400, [4000002]],
  )
  const named = { ...key, webauthn_register_displayname: 'blue' }
  assert.equal((await browser.submit(await browser.open('settings'), named)).status, 404)
  const removal = { method: 'webauthn', webauthn_remove: 'abc' }
  assert.equal((await browser.submit(await browser.open('settings'), removal)).status, 404)
})
