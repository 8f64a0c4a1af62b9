import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Configuration } from 'oidc-provider'
import Provider from 'oidc-provider'
import { atEnd } from '../kit/databases.ts'
import { commonKey } from './broken-provider.ts'
import { listenOnLoopback } from './loopback.ts'

export interface User {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** `oidc-provider` on loopback, whose user agrees at once. */
export interface OpenIdProvider {
  readonly issuer: string
  /** `undefined` declines. */
  user: User | undefined
  /** Reaches it even if its issuer is another host. */
  readonly fetch: typeof fetch
  /** As the user's browser. Returns the URL that it redirects to. */
  visit(url: string): Promise<string>
}

interface Options {
  /** Defaults to its own address. */
  readonly issuer?: string
  readonly client_id?: string
  readonly redirect_uris: readonly string[]
}

export const CLIENT_SECRET = 'a secret of the provider, long enough to be one'

/** Requires PKCE. */
export async function startOpenIdProvider(options: Options): Promise<OpenIdProvider> {
  let listener: RequestListener = () => {}
  const { url: home, close } = await listenOnLoopback((request, response) => listener(request, response))
  atEnd(close)
  const issuer = options.issuer ?? home
  const own: { user: User | undefined } = { user: undefined }
  const provider = new Provider(issuer, configuration(options, own))
  provider.proxy = true
  const answer = provider.callback()
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void agree(provider, own.user, request, response)
    else void answer(request, response)
  }
  const rerouted = reroute(issuer, home)
  return Object.assign(own, { issuer, fetch: rerouted, visit: (url: string) => visit(rerouted, url) })
}

function configuration(options: Options, own: { user: User | undefined }): Configuration {
  const { privateKey } = commonKey()
  const { client_id = 'my-app', redirect_uris } = options
  const client = { client_id, client_secret: CLIENT_SECRET, redirect_uris: [...redirect_uris] }
  return {
    clients: [client],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: async () => ({ ...own.user, sub: accountId }),
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc
      const ids = { clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' }
      const grant = new ctx.oidc.provider.Grant(ids)
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

async function agree(
  provider: Provider,
  user: User | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const result = user
    ? { login: { accountId: user.sub } }
    : { error: 'access_denied', error_description: 'the user said no' }
  await provider.interactionFinished(request, response, result)
}

/** Rewrites the provider's URLs to the issuer. */
function reroute(issuer: string, home: string): typeof fetch {
  const { host, protocol, origin } = new URL(issuer)
  return async (input, init = {}) => {
    const url = String(input)
    if (!url.startsWith(origin) || issuer === home) return await fetch(url, init)
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-host', host)
    headers.set('x-forwarded-proto', protocol.slice(0, -1))
    return await fetch(url.replace(origin, home), { ...init, headers })
  }
}

const LONGEST_WALK = 8

async function visit(through: typeof fetch, start: string): Promise<string> {
  const cookies = new Map<string, string>()
  const { origin } = new URL(start)
  let url = start
  for (let hop = 0; hop < LONGEST_WALK && url.startsWith(origin); hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await through(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    url = new URL(next, url).href
  }
  return url
}
