import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { atEnd } from '../kit/databases.ts'
import { listenOnLoopback } from './loopback.ts'

/** `hang` never responds. */
export type Reply = Response | 'hang'

export interface BrokenProvider {
  readonly issuer: string
  readonly fetch: typeof fetch
  readonly asked: string[]
  readonly replies: Map<string, (request: IncomingMessage, body: string) => Reply | Promise<Reply>>
  /** Claims of the ID token. The nonce is the last authorization request's. */
  claims: Record<string, unknown>
  header: Record<string, unknown>
  signWith: KeyObject | string
  keys: object[]
  nonce: string
}

export async function startBrokenProvider(origins: readonly string[] = []): Promise<BrokenProvider> {
  const replies: BrokenProvider['replies'] = new Map()
  const asked: string[] = []
  const key = commonKey()
  const { url: home, close } = await listenOnLoopback(
    (request, response) => void answer(provider, request, response),
  )
  atEnd(close)
  const issuer = origins[0] ?? home
  const provider: BrokenProvider = {
    issuer,
    fetch: async (input, init) => {
      const { origin, pathname, search } = new URL(String(input))
      if (origin !== home && !origins.includes(origin)) throw new TypeError(`no server at ${origin}`)
      return await fetch(`${home}${pathname}${search}`, init)
    },
    asked,
    replies,
    claims: { sub: 'grace-1', email: 'grace@example.com', email_verified: true },
    header: { alg: 'RS256', kid: 'one' },
    signWith: key.privateKey,
    keys: [key.jwk],
    nonce: '',
  }
  return provider
}

let common: ReturnType<typeof newKey> | undefined

export function commonKey() {
  common ??= newKey('one')
  return common
}

export function newKey(kid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status })
}

export function idToken(provider: BrokenProvider, more: object = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const standard = { iss: provider.issuer, aud: 'my-app', iat: now, exp: now + 600, nonce: provider.nonce }
  const claims = { ...standard, ...provider.claims, ...more }
  const parts = [provider.header, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${parts.join('.')}.${signature(provider, parts.join('.'))}`
}

function signature({ header, signWith }: BrokenProvider, content: string): string {
  if (header.alg === 'none') return ''
  if (typeof signWith === 'string') return createHmac('sha256', signWith).update(content).digest('base64url')
  const key = { key: signWith, dsaEncoding: 'ieee-p1363' } as const
  return sign('sha256', Buffer.from(content), key).toString('base64url')
}

async function answer(provider: BrokenProvider, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? '', provider.issuer).pathname
  provider.asked.push(path)
  const body = await text(request)
  const reply = (await provider.replies.get(path)?.(request, body)) ?? rightReply(provider, path)
  if (reply === 'hang') return
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  response.end(Buffer.from(await reply.arrayBuffer()))
}

function rightReply(provider: BrokenProvider, path: string): Reply {
  const { issuer, keys } = provider
  switch (path) {
    case '/.well-known/openid-configuration':
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
      })
    case '/jwks':
      return json({ keys })
    case '/token':
      return json({ access_token: 'token', token_type: 'Bearer', id_token: idToken(provider) })
    default:
      return json({}, 404)
  }
}
