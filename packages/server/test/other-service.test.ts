import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { until } from '@ostiary/identity/testing/kit/until'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'
import { startLocalCodeHost } from './local-code-host.ts'
import { type OtherService, otherName, startOtherService } from './other-service.ts'
import { startTestProduct } from './product.ts'
import { type Answered, createVisitor, type OpenFlow, type Visitor } from './visitor.ts'

const public_url = 'https://app.example'
const ory = `${public_url}/.ory`
const github = await startLocalCodeHost()

// Tests without settings share a process, each with a new user.
let shared: Promise<OtherService> | undefined
after(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
  await github[Symbol.asyncDispose]()
})

async function setUp({ own, env = {} }: { own?: object; env?: NodeJS.ProcessEnv } = {}) {
  shared ??= startOtherService(public_url)
  const other = own === undefined ? await shared : await startOtherService(public_url, own)
  const product = await startTestProduct({
    PUBLIC_URL: public_url,
    IDENTITY_URL: other.url,
    CODE_HOST_URL: github.base,
    ...env,
  })
  return {
    other,
    visitor: createVisitor(product.base, public_url),
    user: { email: `user-${randomUUID()}@example.com`, password: 'a long enough passphrase' },
    async [Symbol.asyncDispose]() {
      await product[Symbol.asyncDispose]()
      if (own !== undefined) await other[Symbol.asyncDispose]()
    },
  }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

for (const [who, own] of [
  ['calls itself by another name', undefined],
  ['knows our address', { serve: { public: { base_url: `${ory}/` } } }],
] as const) {
  test(`a user registers, signs in, changes the password and signs out at a service that ${who}`, async () => {
    await using set = await setUp(own && { own })
    const { visitor, user, other } = set
    await register(set)

    const signedIn = await signIn(set)
    assert.deepEqual(signedIn.body.session?.identity.traits, { email: user.email })
    assert.ok(visitor.cookies.has('ory_kratos_session'))
    assert.equal((await visitor.get(`${public_url}/api/v1/cash/protected_user`)).status, 200)
    assert.equal((await askWithToken(visitor)).status, 200)

    const settings = await open(visitor, 'settings')
    const changed = await submit(visitor, settings, {
      method: 'password',
      password: 'another long passphrase',
    })
    assert.equal(changed.body.state, 'success')

    const { logout_url = '' } = (await visitor.get(`${ory}/self-service/logout/browser`)).body
    assert.ok(logout_url.startsWith(`${ory}/self-service/logout?token=`), logout_url)
    assert.equal((await visitor.get(logout_url)).status, 204)
    assert.ok(!visitor.cookies.has('ory_kratos_session'))
    assert.equal((await visitor.get(`${public_url}/api/v1/cash/protected_user`)).status, 401)
    assert.equal((await signIn(set, 'another long passphrase')).status, 200)

    for (const answer of visitor.answers) {
      assert.ok(!answer.includes(otherName), answer)
      assert.ok(!answer.includes(other.url), answer)
    }
  })
}

test('a user who must reauthenticate stays on our host', async () => {
  await using set = await setUp({
    own: { selfservice: { flows: { settings: { privileged_session_max_age: '1ms' } } } },
  })
  const { visitor, user } = set
  await register(set)
  await signIn(set)
  const settings = await open(visitor, 'settings')
  const refused = await submit(visitor, settings, { method: 'password', password: 'another long passphrase' })
  assert.equal(refused.status, 403)
  const login = await visitor.get(refused.body.redirect_browser_to ?? '')
  assert.ok(refused.body.redirect_browser_to?.startsWith(`${ory}/self-service/login/browser?refresh=true`))
  const confirmed = await submit(visitor, login.body as OpenFlow, {
    method: 'password',
    identifier: user.email,
    password: user.password,
  })
  const next = confirmed.body.continue_with?.at(-1)
  assert.equal(next?.redirect_browser_to, `${ory}/self-service/settings?flow=${settings.id}`)
})

test('redirects navigations to our pages', async () => {
  await using set = await setUp()
  const headers = { accept: 'text/html' }
  const begun = await set.visitor.get(`${ory}/self-service/login/browser`, headers)
  assert.equal(begun.status, 303)
  assert.match(begun.headers.get('location') ?? '', /^https:\/\/app\.example\/login\?flow=[\w-]+$/)
  const refused = await set.visitor.get(`${ory}/self-service/settings/browser`, headers)
  assert.equal(refused.headers.get('location'), `${ory}/self-service/login/browser`)
})

test('every cookie becomes one of our host', async () => {
  await using set = await setUp()
  await register(set)
  const { headers } = await signIn(set)
  const lines = headers.getSetCookie()
  assert.ok(lines.length > 0)
  for (const line of lines) {
    assert.match(line, /; Path=\/; Secure$/)
    assert.match(line, /; HttpOnly/)
    assert.doesNotMatch(line, /domain/i)
  }
})

test('SEC-35 another site cannot sign a user in through our host', async () => {
  await using set = await setUp()
  await register(set)
  const login = await open(set.visitor, 'login')
  const values = {
    method: 'password',
    identifier: set.user.email,
    password: set.user.password,
    csrf_token: csrfToken(login),
  }
  const origin = { origin: 'https://evil.example' }
  assert.equal((await set.visitor.post(login.ui.action, values, origin)).status, 403)
  assert.equal((await set.visitor.post(login.ui.action, values)).status, 200)
})

for (const [whose, status] of [
  ['its own', 200],
  ['those of another service', 401],
] as const) {
  test(`with ${whose}, a token of the other service is ${status === 200 ? 'taken' : 'refused'}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'my-app-keys-'))
    const file = join(folder, 'keys.json')
    await using set = await setUp({ env: { IDENTITY_JWKS_URL: pathToFileURL(file).href } })
    const published = await fetch(`${set.other.url}/.well-known/jwks.json`)
    const { keys } = (await published.json()) as { keys: object[] }
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const strange = keys.map((key) => ({ ...key, ...publicKey.export({ format: 'jwk' }) }))
    writeFileSync(file, JSON.stringify({ keys: status === 200 ? keys : strange }))
    await register(set)
    await signIn(set)
    assert.equal((await askWithToken(set.visitor)).status, status)
    rmSync(folder, { recursive: true })
  })
}

const answersError = await listenOnLoopback((_request, response) =>
  response.writeHead(503).end('{"error":{}}'),
)
after(() => answersError.close())

for (const IDENTITY_JWKS_URL of ['file:///no/such/file', answersError.url])
  test(`without keys at ${new URL(IDENTITY_JWKS_URL).protocol}, the token is refused and the session accepted`, async () => {
    await using set = await setUp({ env: { IDENTITY_JWKS_URL } })
    await register(set)
    await signIn(set)
    const refused = await askWithToken(set.visitor)
    assert.equal(refused.status, 502)
    assert.equal(refused.body.error?.message, 'The keys that check the token cannot be read')
    assert.equal((await set.visitor.get(`${public_url}/api/v1/cash/protected_user`)).status, 200)
  })

async function askWithToken(visitor: Visitor): Promise<Answered> {
  const session = await visitor.get(`${ory}/sessions/whoami?tokenize_as=my_app_jwt`)
  const authorization = `Bearer ${session.body.tokenized}`
  return visitor.get(`${public_url}/api/v1/cash/protected`, { authorization })
}

async function register({ visitor, user: { email, password }, other }: SetUp): Promise<void> {
  const form = await open(visitor, 'registration')
  const registered = await submit(visitor, form, { method: 'password', password, traits: { email } })
  assert.equal(registered.status, 200, JSON.stringify(registered.body))
  const next = registered.body.continue_with?.find(({ action }) => action === 'show_verification_ui')
  const flow = next!.flow!
  assert.equal(flow.url, `${public_url}/verify?flow=${flow.id}`)
  const verification = await read(visitor, `verification/flows?id=${flow.id}`)
  const code = await mailedCode(other, email)
  const verified = await submit(visitor, verification, { method: 'code', code })
  assert.equal(verified.body.state, 'passed_challenge')
}

async function signIn({ visitor, user }: SetUp, password = user.password): Promise<Answered> {
  const values = { method: 'password', identifier: user.email, password }
  const signedIn = await submit(visitor, await open(visitor, 'login'), values)
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
  return signedIn
}

async function mailedCode({ admin_url }: OtherService, email: string): Promise<string> {
  let code: string | undefined
  await until(async () => {
    const response = await fetch(`${admin_url}/admin/courier/messages?recipient=${encodeURIComponent(email)}`)
    const [mail] = (await response.json()) as { body: string }[]
    code = /\b\d{6}\b/.exec(mail?.body ?? '')?.[0]
    return code !== undefined
  })
  return code ?? ''
}

async function open(visitor: Visitor, kind: string): Promise<OpenFlow> {
  const flow = await read(visitor, `${kind}/browser`)
  assert.equal(flow.ui.action, `${ory}/self-service/${kind}?flow=${flow.id}`)
  assert.equal(flow.request_url, `${ory}/self-service/${kind}/browser`)
  return flow
}

async function read(visitor: Visitor, path: string): Promise<OpenFlow> {
  const { status, body } = await visitor.get(`${ory}/self-service/${path}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as OpenFlow
}

function submit(visitor: Visitor, flow: OpenFlow, values: object): Promise<Answered> {
  return visitor.post(flow.ui.action, { csrf_token: csrfToken(flow), ...values })
}

function csrfToken({ ui }: OpenFlow): string | undefined {
  return ui.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value
}
