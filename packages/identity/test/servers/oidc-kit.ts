import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kratos } from '@ostiary/kratos'
import type { IdentityDependencies } from '../../src/index.ts'
import type { Answer, FlowAnswer } from '../../src/testing/answers.ts'
import type { Browser } from '../../src/testing/clients.ts'
import { atEnd } from '../kit/databases.ts'
import { createTestIdentity, PUBLIC, type TestIdentity } from '../kit/kit.ts'
import { type BrokenProvider, idToken, json, startBrokenProvider } from './broken-provider.ts'
import { CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider, type User } from './openid-provider.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface Mapping {
  readonly claims: Claims
}

function mapper({ claims }: Mapping) {
  return {
    identity: {
      traits: {
        ...('email' in claims ? { email: claims.email } : {}),
        ...('name' in claims ? { name: claims.name } : {}),
      },
      verified_addresses:
        'email' in claims && claims.email_verified ? [{ via: 'email', value: claims.email }] : [],
    },
  }
}

export function vouchingMapper({ claims }: Mapping) {
  const verified_addresses = [{ via: 'email', value: claims.email }]
  return { identity: { traits: { email: claims.email }, verified_addresses } }
}

export function mapperModule(): string {
  const folder = mkdtempSync(join(tmpdir(), 'identity-mapper-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'mapper.mjs')
  writeFileSync(path, `export default ${mapper}`)
  return `file://${path}`
}

export function callbackOf(provider: string): string {
  return `${PUBLIC}/self-service/methods/oidc/callback/${provider}`
}

/** Of `selfservice.methods.oidc.config.providers`. */
export function providerEntry(id: string, more: object = {}) {
  const common = { client_id: 'my-app', client_secret: CLIENT_SECRET, scope: ['email', 'profile'], mapper }
  return { id, provider: 'generic', ...common, ...more }
}

interface Overrides {
  readonly flows?: { readonly [kind: string]: object }
  readonly methods?: object
  readonly ciphers?: { readonly algorithm: 'noop' | 'xchacha20-poly1305' }
  readonly feature_flags?: object
  readonly cookies?: object
}

export function withProviders(providers: readonly object[], more: Overrides = {}) {
  const after = { oidc: { hooks: [{ hook: 'session' }] } }
  const { flows, methods, ...others } = more
  return {
    ...others,
    selfservice: {
      methods: { oidc: { enabled: true, config: { providers } }, ...methods },
      flows: { ...flows, registration: { after, ...flows?.registration } },
    },
  }
}

export async function withAcme(
  overrides: Overrides = {},
  more: object = {},
  others: Partial<IdentityDependencies> = {},
): Promise<{ identity: TestIdentity; acme: OpenIdProvider }> {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const providers = [providerEntry('acme', { issuer_url: acme.issuer, ...more })]
  const settings = withProviders(providers, overrides)
  return { identity: await createTestIdentity(settings, { ...parts(acme), ...others }), acme }
}

export function parts({ fetch }: { readonly fetch: typeof globalThis.fetch }): Partial<IdentityDependencies> {
  return { fetch, kratos }
}

export const GRACE: User = {
  sub: 'grace-1',
  email: 'grace@example.com',
  email_verified: true,
  name: 'Grace',
}

export async function leave(browser: Browser, flow: FlowAnswer, provider: string, more: object = {}) {
  const sent: Answer = await browser.submit(flow, { method: 'oidc', provider, ...more })
  assert.equal(sent.status, 422, JSON.stringify(sent.body))
  return String(sent.body.redirect_browser_to)
}

export async function signInWith(
  browser: Browser,
  provider: OpenIdProvider,
  user: User | undefined,
  { id = 'acme', kind = 'login' as 'login' | 'registration', query = '' } = {},
): Promise<Answer> {
  provider.user = user
  const there = await leave(browser, await browser.open(kind, query), id)
  return await browser.navigate(await provider.visit(there))
}

export async function formOf(browser: Browser, { location = '' }: Answer): Promise<FlowAnswer> {
  const url = new URL(location)
  const kind = url.pathname.replace('/register', '/registration').replace('/verify', '/verification').slice(1)
  return await browser.get(`/self-service/${kind}/flows?id=${url.searchParams.get('flow')}`)
}

export async function errorOf(browser: Browser, { location = '' }: Answer): Promise<Answer['body']> {
  const id = new URL(location).searchParams.get('id')
  return (await browser.get(`/self-service/errors?id=${id}`)).body.error
}

export async function withBroken(
  kind: keyof typeof ORIGINS = 'generic',
  more: object = {},
  overrides: object = {},
) {
  const broken = await startBrokenProvider(ORIGINS[kind])
  const address = kind === 'generic' ? { issuer_url: broken.issuer } : {}
  const scope = kind === 'github' ? ['user:email'] : ['email']
  const providers = [providerEntry('acme', { provider: kind, scope, ...address, ...more })]
  const config = { ...withProviders(providers), ...overrides }
  return { identity: await createTestIdentity(config, parts(broken)), broken }
}

const ORIGINS = {
  generic: [],
  apple: ['https://appleid.apple.com'],
  discord: ['https://discord.com'],
  gitlab: ['https://gitlab.com'],
  google: ['https://accounts.google.com'],
  microsoft: ['https://login.microsoftonline.com', 'https://graph.microsoft.com'],
  slack: ['https://slack.com'],
  x: ['https://api.twitter.com'],
  github: ['https://github.com', 'https://api.github.com'],
} as const

export async function handleCallback(
  browser: Browser,
  broken: BrokenProvider,
  { kind = 'login' as 'login' | 'registration', code = 'a-code' } = {},
): Promise<Answer> {
  return await browser.navigate(callbackWith(await askProvider(browser, broken, kind), code))
}

export async function askProvider(
  browser: Browser,
  broken: BrokenProvider,
  kind: 'login' | 'registration' = 'login',
): Promise<URL> {
  const there = new URL(await leave(browser, await browser.open(kind), 'acme'))
  broken.nonce = there.searchParams.get('nonce') ?? ''
  return there
}

export function callbackWith(there: URL, code: string): string {
  const back = new URL(there.searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('code', code)
  back.searchParams.set('state', there.searchParams.get('state') ?? '')
  return back.href
}

export function tokenReply(broken: BrokenProvider): Response {
  return json({ access_token: 'token', token_type: 'Bearer', id_token: idToken(broken) })
}

/** Returns the account of the signed-in browser. */
export async function accountOf(browser: Browser) {
  const { traits, verifiable_addresses } = (await browser.whoami()).body.identity
  return { email: traits.email, name: traits.name, verified: verifiable_addresses[0].verified }
}

/** An app's sign-in up to the redirect to the app. */
export async function nativeJourney(
  kind: 'login' | 'registration',
  house?: Awaited<ReturnType<typeof withAcme>>,
  { user = GRACE, ...more }: { readonly user?: User | undefined; readonly [field: string]: unknown } = {},
) {
  const { identity, acme } = house ?? (await withAcme())
  const app = identity.app()
  const query = '?return_session_token_exchange_code=true&return_to=http://app.test/native'
  const flow = await app.open(kind, query)
  const { session_token_exchange_code: init } = flow.body as unknown as Record<string, string>
  acme.user = user
  const sent: Answer = await app.submit(flow, { method: 'oidc', provider: 'acme', ...more })
  const back = await acme.visit(String(sent.body.redirect_browser_to))
  const { location = '' } = await identity.browser().navigate(back)
  const code = new URL(location).searchParams.get('code')
  const redeem = (init_code: string, return_to_code: string | null = code) =>
    identity
      .app()
      .send('GET', `/sessions/token-exchange?init_code=${init_code}&return_to_code=${return_to_code}`)
  const exchange = () => redeem(String(init))
  return { identity, acme, app, flow, back, location, code, redeem, exchange }
}
