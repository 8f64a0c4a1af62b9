import assert from 'node:assert/strict'
import type { UiNodeInputAttributes, UpdateLoginFlowBody } from '@ory/client-fetch'
import { Configuration, FrontendApi, ResponseError } from '@ory/client-fetch'
import { PASSWORD, PUBLIC } from './clients.ts'
import { test } from './databases.ts'
import type { TestIdentity } from './kit.ts'
import { createTestIdentity, VERIFIED_ONLY } from './kit.ts'

// The field's own client, in process: what it sends and what it makes of the answers.

test('the official client walks from registration to sign-out as an app', async () => {
  const identity = await createTestIdentity()
  const api = client(identity)
  const registration = await api.createNativeRegistrationFlow()
  const registered = await api.updateRegistrationFlow({
    flow: registration.id,
    updateRegistrationFlowBody: {
      method: 'password',
      password: PASSWORD,
      traits: { email: 'ada@example.com' },
    },
  })
  assert.ok(registered.session_token)
  const verify = registered.continue_with?.find(({ action }) => action === 'show_verification_ui')
  assert.ok(verify && 'flow' in verify)
  const verification = await api.getVerificationFlow({ id: verify.flow.id })
  assert.equal(verification.state, 'sent_email')
  const verified = await api.updateVerificationFlow({
    flow: verification.id,
    updateVerificationFlowBody: { method: 'code', code: await identity.code('ada@example.com') },
  })
  assert.equal(verified.state, 'passed_challenge')
  const xSessionToken = await signIn(api)
  const session = await api.toSession({ xSessionToken })
  assert.equal(session.identity?.verifiable_addresses?.[0]?.verified, true)
  await api.performNativeLogout({ performNativeLogoutBody: { session_token: xSessionToken } })
  await assert.rejects(api.toSession({ xSessionToken }), isStatus(401))
})

test('the official client lists and ends sessions', async () => {
  const identity = await createTestIdentity()
  await identity.person('ada@example.com')
  const api = client(identity)
  const first = await signIn(api)
  const second = await signIn(api)
  await signIn(api)
  const others = await api.listMySessions({ xSessionToken: first })
  assert.equal(others.length, 2)
  const own = await api.toSession({ xSessionToken: second })
  await api.disableMySession({ id: own.id, xSessionToken: first })
  await assert.rejects(api.toSession({ xSessionToken: second }), isStatus(401))
  assert.equal((await api.disableMyOtherSessions({ xSessionToken: first })).count, 2)
})

test('the official client walks as a page, with cookies', async () => {
  const identity = await createTestIdentity({
    ...VERIFIED_ONLY,
    session: { whoami: { tokenizer: { templates: { my_app_jwt: { ttl: '10m' } } } } },
  })
  await identity.person('ada@example.com')
  const api = client(identity, { cookies: true })
  const flow = await api.createBrowserLoginFlow({ returnTo: 'http://app.test/welcome' })
  const token = flow.ui.nodes.map(({ attributes }) => attributes as UiNodeInputAttributes)
  const csrf_token = token.find(({ name }) => name === 'csrf_token')?.value
  const done = await api.updateLoginFlow({
    flow: flow.id,
    updateLoginFlowBody: { ...credentials(), csrf_token },
  })
  assert.equal(done.session.active, true)
  const session = await api.toSession({ tokenizeAs: 'my_app_jwt' })
  assert.match(session.tokenized ?? '', /^eyJ/)
  const { logout_token } = await api.createBrowserLogoutFlow()
  await api.updateLogoutFlow({ token: logout_token })
  await assert.rejects(api.toSession(), isStatus(401))
})

test('the official client understands a refused form and a refused flow', async () => {
  const identity = await createTestIdentity()
  const api = client(identity)
  const flow = await api.createNativeLoginFlow()
  const wrong = { ...credentials(), password: 'wrong' }
  const error: unknown = await api
    .updateLoginFlow({ flow: flow.id, updateLoginFlowBody: wrong })
    .catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ResponseError)
  assert.equal((await error.response.json()).ui.messages[0].id, 4000006)
  await assert.rejects(api.getLoginFlow({ id: '00000000-0000-4000-8000-000000000000' }), isStatus(404))
  await assert.rejects(api.getFlowError({ id: 'unknown' }), isStatus(404))
  assert.equal((await api.getFlowError({ id: 'stub:500' })).error?.constructor, Object)
})

test('the official client says which parameter is missing before it asks', async () => {
  const api = client(await createTestIdentity())
  await assert.rejects(
    api.getLoginFlow({} as { id: string }),
    /Required parameter "id" was null or undefined when calling getLoginFlow/,
  )
})

function client(identity: TestIdentity, { cookies = false } = {}): FrontendApi {
  const browser = identity.browser()
  const fetchApi: typeof fetch = async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers))
    if (!cookies) return await identity.publicApp.request(String(input), init)
    const raw = typeof init?.body === 'string' ? { raw: init.body } : {}
    const answer = await browser.send(init?.method ?? 'GET', String(input), undefined, { headers, ...raw })
    const body = answer.status === 204 ? null : JSON.stringify(answer.body)
    return new Response(body, { status: answer.status, headers: { 'content-type': 'application/json' } })
  }
  return new FrontendApi(
    new Configuration({ basePath: PUBLIC, fetchApi, headers: { Accept: 'application/json' } }),
  )
}

async function signIn(api: FrontendApi): Promise<string> {
  const flow = await api.createNativeLoginFlow()
  const done = await api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: credentials() })
  return done.session_token ?? ''
}

function credentials(): Extract<UpdateLoginFlowBody, { method: 'password' }> {
  return { method: 'password', identifier: 'ada@example.com', password: PASSWORD }
}

function isStatus(status: number) {
  return (error: unknown) => error instanceof ResponseError && error.response.status === status
}
