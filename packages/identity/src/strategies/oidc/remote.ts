import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { urlAt } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { outgoing } from './outgoing.ts'
import { kindOf } from './providers/all.ts'
import { type Fetch, type ProviderCall, type ProviderConfig, unusable } from './providers/provider.ts'

export interface Remote extends ProviderCall {
  readonly client: Client
  /** Apple's is signed for each request. */
  readonly authentication: () => Promise<ClientAuth>
  readonly options: RequestOptions
  /** Undefined if the keys were fetched recently. */
  readonly withFreshKeys: () => AuthorizationServer | undefined
}

interface RequestOptions {
  readonly [oauth.customFetch]: Fetch
  readonly [oauth.allowInsecureRequests]: boolean
}

/** Cached for an hour. Throws `ProtocolError` 502. */
export async function loadRemote(ctx: Context, config: ProviderConfig): Promise<Remote> {
  const fetch = outgoing(ctx, config, hostsOf(config))
  // Only `dev` allows http.
  const isPlain = (config.issuer_url ?? config.token_url ?? '').startsWith('http:')
  const options = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: isPlain }
  const metadata = await loadMetadata(ctx, config, options)
  return {
    config,
    server: metadata.server,
    client: { client_id: config.client_id },
    authentication: () => authenticationOf(ctx, metadata.server, config),
    fetch,
    now: ctx.now(),
    options,
    withFreshKeys: () => freshKeys(ctx, metadata),
  }
}

/** Discovery documents could name any host. */
function hostsOf(config: ProviderConfig): ReadonlySet<string> {
  const kind = kindOf(config)
  const { token_url, issuer_url } = config
  const { token_endpoint, jwks_uri, userinfo_endpoint } = kind.metadata?.(config) ?? {}
  const endpoints = [kind.issuer?.(config), token_endpoint, jwks_uri, userinfo_endpoint]
  const named = [...endpoints, token_url, issuer_url].filter((url) => url !== undefined && url !== '')
  return new Set([...(kind.hosts ?? []), ...named.map((url) => new URL(url ?? '').host)])
}

interface CachedMetadata {
  server: AuthorizationServer
  /** Milliseconds since 1970. */
  readonly until: number
  keysRenewed: number
}

const HOUR_MS = 3_600_000
const createCache = () => new Map<string, CachedMetadata>()

async function loadMetadata(ctx: Context, config: ProviderConfig, options: RequestOptions) {
  const cache = ctx.once(createCache)
  const now = ctx.now().getTime()
  const before = cache.get(config.id)
  if (before && before.until > now) return before
  const { auth_url, token_url } = config
  const server = {
    ...(await discover(config, options)),
    ...(auth_url === undefined ? {} : { authorization_endpoint: auth_url }),
    ...(token_url === undefined ? {} : { token_endpoint: token_url }),
  }
  const cachedMetadata = { server, until: now + HOUR_MS, keysRenewed: now }
  cache.set(config.id, cachedMetadata)
  return cachedMetadata
}

async function discover(config: ProviderConfig, options: RequestOptions): Promise<AuthorizationServer> {
  const kind = kindOf(config)
  const ownIssuer = kind.documentsIssuer?.(config) ?? false
  const metadata = ownIssuer ? undefined : kind.metadata?.(config)
  if (metadata) return metadata
  try {
    const identifier = new URL(kind.issuer?.(config) ?? '')
    const response = await oauth.discoveryRequest(identifier, options)
    const { issuer } = z.object({ issuer: z.string() }).parse(await response.clone().json())
    const documented = new URL(issuer)
    // Both spellings of a path, with and without the last slash, lead to the same document.
    const isSame = urlAt(documented.href, '') === urlAt(identifier.href, '')
    return await oauth.processDiscoveryResponse(ownIssuer || isSame ? documented : identifier, response)
  } catch (cause) {
    throw unusable(config, 'its metadata is invalid', cause)
  }
}

/** Forged key ids must not cost a request each (FLT-08). */
const KEYS_REST_MS = 30_000

/** The library caches keys per metadata object. */
function freshKeys(ctx: Context, cachedMetadata: CachedMetadata): AuthorizationServer | undefined {
  const now = ctx.now().getTime()
  if (now < cachedMetadata.keysRenewed + KEYS_REST_MS) return undefined
  cachedMetadata.keysRenewed = now
  cachedMetadata.server = { ...cachedMetadata.server }
  return cachedMetadata.server
}

async function authenticationOf(ctx: Context, server: AuthorizationServer, config: ProviderConfig) {
  const secret = (await kindOf(config).secret?.(config, ctx.now())) ?? config.client_secret
  if (secret === undefined || secret === '') return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported
  // OpenID Connect Discovery 1.0, section 3: `client_secret_basic` is the default. GitHub reads only the body.
  const basic = methods ? methods.includes('client_secret_basic') : server.jwks_uri !== undefined
  return basic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}
