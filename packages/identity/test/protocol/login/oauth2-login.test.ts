import assert from 'node:assert/strict'
import { type Answer, messageIds, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type Merge, PUBLIC, VERIFIED_ONLY } from '../../kit/kit.ts'
import { freePort } from '../../servers/free-port.ts'
import type { HookAnswer } from '../../servers/hook-receiver.ts'
import {
  ADMIN,
  continueIn,
  HYDRA,
  idsOf,
  requestOf,
  verifiedUrl,
  withHydra,
} from '../../servers/hydra-kit.ts'
import { errorOf, GRACE, parts, providerEntry, signInWith, withProviders } from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

const EVE = 'eve@example.com'
const LOGIN = { method: 'password', identifier: ADA, password: PASSWORD }

async function withAda(overrides: Merge = {}) {
  const hydra = await withHydra(overrides)
  return { ...hydra, browser: await hydra.identity.signedIn(ADA) }
}

test('shows the request in the forms that it opened', async () => {
  const { identity, receiver } = await withHydra()
  const browser = identity.browser()
  const { skip_logout_consent: _, ...client } = requestOf('one', false).client
  const oauth2_login_request = { ...requestOf('one', false), client }
  for (const kind of ['login', 'registration'] as const) {
    const opened = await browser.open(kind, '?login_challenge=one')
    const read = await browser.get(`/self-service/${kind}/flows?id=${opened.body.id}`)
    const refused = await browser.submit(opened, { ...LOGIN, traits: { email: ADA }, password: '' })
    for (const { body } of [opened, read, refused] as { body: object }[])
      assert.partialDeepStrictEqual(body, { oauth2_login_challenge: 'one', oauth2_login_request })
  }
  assert.deepEqual(
    new Set(receiver.calls.map(({ method, path }) => `${method} ${path}`)),
    new Set([`GET ${ADMIN}?login_challenge=one`]),
  )
  assert.equal(receiver.calls[0]?.headers.authorization, 'Bearer for-hydra')
})

test('names the user to the OAuth 2.0 server and goes back to it', async () => {
  const { identity, accepted } = await withHydra({ session: { lifespan: '2h' } })
  await identity.user(ADA)
  const script = identity.browser()
  const form = await script.open('login', '?login_challenge=one')
  const signedIn: Answer = await script.submit(form, LOGIN)
  assert.equal(signedIn.status, 422)
  const { error, redirect_browser_to } = signedIn.body
  assert.deepEqual([error.id, redirect_browser_to], ['browser_location_change_required', verifiedUrl('one')])
  const { session, identity: subject } = await idsOf(script)
  const [call] = accepted()
  assert.equal(call?.path, `${ADMIN}/accept?login_challenge=one`)
  assert.deepEqual(call.body, {
    subject,
    identity_provider_session_id: session,
    amr: ['password'],
    remember: true,
    remember_for: 7200,
  })
  const page = identity.browser()
  const opened = await page.open('login', '?login_challenge=two')
  const fields = { ...LOGIN, csrf_token: String(tokenOf(opened)) }
  const sent = await page.post(opened.body.ui.action, fields)
  assert.deepEqual([sent.status, sent.location], [303, verifiedUrl('two')])
})

test('SEC-90 a submission cannot name another request', async () => {
  const { identity, accepted } = await withHydra()
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('login', '?login_challenge=one')
  const action = `${form.body.ui.action}&login_challenge=two`
  const body = { ...form.body, ui: { ...form.body.ui, action } }
  await browser.submit({ ...form, body }, { ...LOGIN, login_challenge: 'two', oauth2_login_challenge: 'two' })
  assert.deepEqual(
    accepted().map(({ path }) => path),
    [`${ADMIN}/accept?login_challenge=one`],
  )
})

test('accepts a remembered user with a session at once', async () => {
  const { browser, accepted } = await withAda()
  for (const kind of ['login', 'registration']) {
    const page = await browser.navigate(`/self-service/${kind}/browser?login_challenge=skipped`)
    assert.deepEqual([page.status, page.location], [303, verifiedUrl('skipped')])
    const script = await browser.get(`/self-service/${kind}/browser?login_challenge=skipped`)
    assert.deepEqual([script.status, script.body.redirect_browser_to], [422, verifiedUrl('skipped')])
  }
  const { session, identity } = await idsOf(browser)
  for (const { body } of accepted())
    assert.deepEqual([body.subject, body.identity_provider_session_id], [identity, session])
})

test('asks a signed-in user again whom the OAuth 2.0 server does not remember', async () => {
  const { browser, accepted, identity } = await withAda()
  await identity.user(EVE)
  const sent = await browser.navigate('/self-service/registration/browser?login_challenge=one&lang=de')
  const login = '/self-service/login/browser?login_challenge=one'
  assert.deepEqual([sent.status, sent.location], [302, `${PUBLIC}${login}&lang=de`])
  const form = await browser.open('login', '?login_challenge=one&refresh=false')
  assert.partialDeepStrictEqual(form.body, { refresh: true, request_url: `${PUBLIC}${login}&refresh=true` })
  const other = await browser.submit(form, { ...LOGIN, identifier: EVE })
  assert.equal(other.status, 400)
  assert.equal(accepted().length, 0)
  assert.equal((await browser.submit(form, LOGIN)).status, 422)
  assert.deepEqual(accepted()[0]?.body.amr, ['password', 'password'])
})

test('SEC-90 waits for a required second factor', async () => {
  const { identity, browser, accepted } = await withAda(SECOND_FACTORS)
  const aal1 = identity.browser()
  await aal1.signIn(ADA)
  const secret = await addTotp(identity, browser)
  const next = `${PUBLIC}/self-service/login/browser?aal=aal2&login_challenge=`
  const skipped = await aal1.navigate('/self-service/login/browser?login_challenge=skipped')
  assert.equal(skipped.location, `${next}skipped`)
  const fresh = identity.browser()
  const first: Answer = await fresh.submit(await fresh.open('login', '?login_challenge=one'), LOGIN)
  const { redirect_browser_to } = first.body
  assert.equal(redirect_browser_to, `${next}one`)
  assert.equal(accepted().length, 0)
  const form = await fresh.open('login', new URL(redirect_browser_to).search)
  assert.deepEqual(messageIds(form), [1010003, 1010004])
  const done: Answer = await fresh.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(done.body.redirect_browser_to, verifiedUrl('one'))
  assert.deepEqual(accepted()[0]?.body.amr, ['password', 'totp'])
})

test('SEC-90 accepts neither disabled nor unverified accounts', async () => {
  const { identity, accepted } = await withHydra(VERIFIED_ONLY)
  const browser = identity.browser()
  await browser.register(EVE)
  const form = await browser.open('login', '?login_challenge=one')
  const unverified = await browser.submit(form, { ...LOGIN, identifier: EVE })
  assert.equal(unverified.status, 403)
  const disabled = await identity.signedIn(ADA)
  const { identity: id } = await idsOf(disabled)
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'replace', path: '/state', value: 'inactive' },
  ])
  await disabled.navigate('/self-service/login/browser?login_challenge=skipped')
  const login = await disabled.open('login', '?login_challenge=two')
  assert.equal((await disabled.submit(login, LOGIN)).status, 401)
  assert.equal(accepted().length, 0)
  // The proof of the address continues where the sign-in stopped.
  const shown = await browser.get(`/self-service/verification/flows?id=${verificationIn(unverified)?.id}`)
  const proved = await browser.submit(shown, { method: 'code', code: await identity.code(EVE) })
  assert.equal(continueIn(proved), `${PUBLIC}/self-service/login/browser?login_challenge=one`)
})

test('keeps the request through a sign-up with a provider and an expired form', async () => {
  const acme = await startOpenIdProvider({
    redirect_uris: [`${PUBLIC}/self-service/methods/oidc/callback/acme`],
  })
  const providers = [providerEntry('acme', { issuer_url: acme.issuer })]
  const { identity, accepted } = await withHydra(withProviders(providers), (config) =>
    createTestIdentity(
      config,
      parts({ fetch: (url, init) => (String(url).includes(ADMIN) ? fetch : acme.fetch)(url, init) }),
    ),
  )
  const browser = identity.browser()
  const back = await signInWith(browser, acme, GRACE, { query: '?login_challenge=one' })
  assert.equal(back.location, verifiedUrl('one'))
  await identity.user(ADA)
  const late = identity.browser()
  const form = await late.open('login', '?login_challenge=two')
  identity.advance(11 * 60_000)
  const expired: Answer = await late.submit(form, LOGIN)
  const renewed = await late.get(`/self-service/login/flows?id=${expired.body.use_flow_id}`)
  assert.equal((await late.submit(renewed, LOGIN)).status, 422)
  assert.deepEqual(
    accepted().map(({ path }) => path),
    ['one', 'two'].map((challenge) => `${ADMIN}/accept?login_challenge=${challenge}`),
  )
})

test('returns to the authorization from every flow if configured', async () => {
  const { identity } = await withHydra({
    oauth2_provider: { override_return_to: true },
    selfservice: { allowed_return_urls: [`${HYDRA}/`] },
  })
  const query = '?login_challenge=one&return_to=http://app.test/'
  const form: Answer = await identity.browser().open('login', query)
  assert.equal(form.body.return_to, requestOf('one', false).request_url)
})

test('apps ignore the request', async () => {
  const { identity, receiver } = await withHydra()
  const { status, body } = await identity.app().open('login', '?login_challenge=one')
  assert.deepEqual([status, 'oauth2_login_challenge' in body, receiver.calls.length], [200, false, 0])
})

const REFUSALS: readonly [name: string, answer: HookAnswer, status: number, details?: object][] = [
  ['an unknown request', { status: 404, body: { error: 'Not Found' } }, 400, { status_code: 404 }],
  ['a finished request', { status: 410, body: { redirect_to: HYDRA } }, 400, { status_code: 410 }],
  ['a failing server', { status: 503, body: { error_hint: 'wait' } }, 500, { oauth2_error_hint: 'wait' }],
  ['a redirect', { status: 302, headers: { location: `${ADMIN}?login_challenge=one` } }, 500],
  ['another document', { body: { hello: 'world' } }, 500],
  ['a script', { body: { ...requestOf('odd', false), request_url: 'javascript:alert(1)' } }, 500],
  ['a huge answer', { body: { ...requestOf('odd', false), filler: 'x'.repeat(17_000) } }, 500],
]

for (const [name, answer, status, details = {}] of REFUSALS) {
  test(`${name} is ${status}`, async () => {
    const { identity, answers } = await withHydra()
    answers('odd', answer)
    for (const kind of ['login', 'registration'] as const) {
      const refused = await identity.browser().open(kind, '?login_challenge=odd')
      assert.equal(refused.status, status)
      assert.partialDeepStrictEqual(refused.body, { error: { details } })
      assert.doesNotMatch(JSON.stringify(refused.body), /for-hydra/)
    }
    const page = identity.browser()
    const sent = await page.navigate('/self-service/login/browser?login_challenge=odd')
    assert.equal((await errorOf(page, sent)).code, status)
  })
}

test('an unreachable OAuth 2.0 server is 500, and the log says why', async () => {
  const { identity } = await withHydra({ oauth2_provider: { url: `http://127.0.0.1:${await freePort()}/` } })
  const refused = await identity.browser().open('login', '?login_challenge=one')
  assert.equal(refused.status, 500)
  assert.match(identity.logged.join('\n'), /OAuth 2.0 server.*ECONNREFUSED/)
  assert.doesNotMatch(identity.logged.join('\n'), /for-hydra/)
})

for (const [name, accepted] of [
  ['refuses', { status: 404, body: { error: 'Not Found' } }],
  ['sends no URL', { body: {} }],
  ['sends a script', { body: { redirect_to: 'javascript:alert(1)' } }],
] as const) {
  test(`SEC-90 a sign-in fails if the OAuth 2.0 server ${name}`, async () => {
    const { identity, answers } = await withHydra()
    answers('odd', { body: requestOf('odd', false) }, accepted)
    await identity.user(ADA)
    const browser = identity.browser()
    const form = await browser.open('login', '?login_challenge=odd')
    assert.equal((await browser.submit(form, LOGIN)).status, 500)
    answers('odd', { body: requestOf('odd', false) }, { body: { redirect_to: verifiedUrl('odd') } })
    const again = await browser.open('login', '?login_challenge=odd')
    assert.equal((await browser.submit(again, LOGIN)).status, 422)
  })
}

test('rejects an empty challenge', async () => {
  const { identity } = await withHydra()
  for (const path of ['login/browser', 'login/api', 'registration/browser'])
    assert.equal((await identity.browser().get(`/self-service/${path}?login_challenge=`)).status, 400, path)
})
