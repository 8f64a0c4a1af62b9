import { generateKeyPair, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, request as requestHttp } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type {
  AccountClaims,
  Adapter,
  AdapterFactory,
  AdapterPayload,
  Configuration,
  InteractionResults,
  JWK,
  KoaContextWithOIDC,
} from 'oidc-provider'
import { Provider } from 'oidc-provider'
import type { DemoUser, DemoUsers } from './users.ts'

/** The provider's behavior once the user has agreed. */
export type ProviderMode = 'normal' | 'slow' | 'garbage' | 'revoked'

interface OpenIdParts {
  readonly issuer: string
  readonly client: {
    readonly client_id: string
    readonly client_secret: string
    readonly redirect_uri: string
  }
  readonly consentUrl: (uid: string) => string
  readonly users: DemoUsers
}

/** Longer than clients should wait. */
const slowMs = 8_000
/** Seconds. */
const attemptLifespan = 15 * 60

export type OpenId = Awaited<ReturnType<typeof createOpenId>>

/**
 * The certified `oidc-provider` with our own consent page and accounts. Imported on first use because it is large. Only
 * the attempt's browser knows its id (`uid`).
 */
export async function createOpenId(parts: OpenIdParts) {
  const provider = new Provider(parts.issuer, await configuration(parts))
  const answers = simulateFailures(provider)
  const { pathname } = new URL(parts.issuer)
  const handle = provider.callback()
  const ask = askInProcess((request, response) => {
    const { url = '/' } = request
    // The provider derives its mount path from the two URLs.
    void handle(Object.assign(request, { originalUrl: url, url: url.slice(pathname.length) }), response)
  })
  /** Returns where the browser continues; undefined if the attempt has expired. */
  const finish = async (uid: string, result: InteractionResults) => {
    const attempt = await provider.Interaction.find(uid)
    if (!attempt) return undefined
    attempt.result = result
    await attempt.persist()
    return attempt.returnTo
  }
  return {
    ask: withoutSession(ask),
    hasAttempt: async (uid: string) => (await provider.Interaction.find(uid)) !== undefined,
    async approve(uid: string, user: DemoUser, answer: ProviderMode) {
      const grant = new provider.Grant({ accountId: user.id, clientId: parts.client.client_id })
      grant.addOIDCScope('openid profile email')
      const grantId = await grant.save()
      answers.set(grantId, answer)
      return finish(uid, { login: { accountId: user.id, remember: false }, consent: { grantId } })
    },
    deny: (uid: string) =>
      finish(uid, { error: 'access_denied', error_description: 'The user did not agree.' }),
  }
}

async function configuration({ issuer, client, consentUrl, users }: OpenIdParts): Promise<Configuration> {
  const { redirect_uri, ...credentials } = client
  const cookie = `demo_${issuer.slice(issuer.lastIndexOf('/') + 1)}`
  return {
    adapter: createAdapter(),
    clients: [
      {
        ...credentials,
        redirect_uris: [redirect_uri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'profile', 'email'],
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    // Like Google, includes the claims in the ID token.
    conformIdTokenClaims: false,
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: { session: sessionCookie, interaction: `${cookie}_attempt`, resume: `${cookie}_resume` },
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_, sub) => {
      const user = users.find(sub)
      return user && { accountId: sub, claims: () => claimsOf(user) }
    },
    interactions: { url: (_, { uid }) => consentUrl(uid) },
    jwks: { keys: [await createKey()] },
    pkce: { required: () => true },
    expiresWithSession: () => false,
    renderError: (ctx) => ctx.redirect(consentUrl('')),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: attemptLifespan,
      // The demo's clock may be set ahead of this provider's.
      IdToken: 30 * 86_400,
      Interaction: attemptLifespan,
      Session: attemptLifespan,
    },
  }
}

async function createKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK
}

const sessionCookie = 'demo_session'

function withoutSession(ask: Ask): Ask {
  return async (request) => {
    const response = await ask(request)
    const cookies = response.headers.getSetCookie()
    response.headers.delete('set-cookie')
    for (const cookie of cookies)
      if (!cookie.startsWith(sessionCookie)) response.headers.append('set-cookie', cookie)
    return response
  }
}

function claimsOf({ id, name, email, email_verified }: DemoUser): AccountClaims {
  return {
    sub: id,
    name,
    preferred_username: name,
    ...(email === undefined ? {} : { email, email_verified }),
  }
}

/** Responses of the token endpoint by grant. */
function simulateFailures(provider: Provider): Map<string, ProviderMode> {
  const answers = new Map<string, ProviderMode>()
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next()
    const { AuthorizationCode: code, Grant: grant } = ctx.oidc?.entities ?? {}
    if (ctx.oidc?.route === 'resume' && grant && answers.get(grant.jti) === 'revoked') await grant.destroy()
    if (ctx.oidc?.route !== 'token' || code?.grantId === undefined) return
    const answer = answers.get(code.grantId)
    answers.delete(code.grantId)
    if (answer === 'slow') await delay(slowMs, undefined, { ref: false })
    if (answer !== 'garbage') return
    ctx.status = 200
    ctx.type = 'text/html'
    ctx.body = '<!doctype html><title>Maintenance</title>'
  })
  return answers
}

const maxEntries = 1_000

function createAdapter(): AdapterFactory {
  const entries = new Map<string, AdapterPayload>()
  return (model) => storeOf(model, entries)
}

function storeOf(model: string, entries: Map<string, AdapterPayload>): Adapter {
  const key = (id: string) => `${model}:${id}`
  const findBy = (matches: (payload: AdapterPayload) => boolean) =>
    [...entries].find(([name, payload]) => name.startsWith(`${model}:`) && matches(payload))?.[1]
  return {
    async upsert(id, payload) {
      const [oldest] = entries.keys()
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
      entries.delete(key(id))
      entries.set(key(id), payload)
    },
    find: async (id) => entries.get(key(id)),
    findByUid: async (uid) => findBy((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
    async consume(id) {
      const payload = entries.get(key(id))
      // The provider checks only that a number is set.
      if (payload) payload.consumed = 1
    },
    async destroy(id) {
      entries.delete(key(id))
    },
    async revokeByGrantId(grantId) {
      for (const [name, payload] of entries) if (payload.grantId === grantId) entries.delete(name)
    },
  }
}

type Ask = (request: Request) => Promise<Response>

/** Calls through a pipe, so that host names need not resolve here. */
function askInProcess(listener: RequestListener): Ask {
  const server = createServer(listener)
  return async (request) => {
    const [near, far] = duplexPair()
    const https = request.url.startsWith('https:')
    // Koa allows `Secure` cookies only if this is set.
    server.emit('connection', https ? Object.assign(far, { encrypted: true }) : far)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { host, pathname, search } = new URL(request.url)
      const outgoing = requestHttp({
        createConnection: () => near,
        method: request.method,
        path: pathname + search,
        headers: { ...Object.fromEntries(request.headers), host },
        signal: request.signal,
      })
      outgoing.once('response', resolve)
      outgoing.once('error', (error) => reject(request.signal.aborted ? request.signal.reason : error))
      if (request.body) Readable.fromWeb(request.body as ReadableStream).pipe(outgoing)
      else outgoing.end()
    })
    return toResponse(answer)
  }
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const name = answer.rawHeaders[index]?.toLowerCase() ?? ''
    if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name))
      headers.append(name, answer.rawHeaders[index + 1] ?? '')
  }
  const status = answer.statusCode ?? 502
  if (status !== 204 && status !== 304)
    return new Response(Readable.toWeb(answer) as globalThis.ReadableStream, { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}
