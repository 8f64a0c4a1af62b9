import type { AuthorizationServer } from 'oauth4webapi'
import { z } from 'zod'
import { FormError } from '../../../errors/errors.ts'
import { valueAt } from '../../../input/json.ts'
import { messages } from '../../../ui/messages.ts'
import type { Claims } from '../claims.ts'
import { readJson } from '../outgoing.ts'
import type { Granted, Mapping, ProviderCall, ProviderConfig, UserApi } from './provider.ts'
import { labelOf, unusable } from './provider.ts'

interface Endpoints {
  readonly authorize: string
  readonly token: string
  readonly user: string
  readonly authentication?: 'client_secret_basic'
}

/** Client authentication is `client_secret_post` unless named. */
export function server(
  issuer: string,
  { authorize, token, user, authentication }: Endpoints,
): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: authorize,
    token_endpoint: token,
    userinfo_endpoint: user,
    token_endpoint_auth_methods_supported: [authentication ?? 'client_secret_post'],
  }
}

/** Throws `FormError` if a scope is missing, `ProtocolError` 502. */
export async function readUser(call: ProviderCall, api: UserApi, granted: Granted) {
  const { config, server } = call
  if (api.needsScopes) assertScopes(config, granted)
  const url = server.userinfo_endpoint ?? ''
  const response = await askApi(call, api, url, granted)
  const raw = await readApi(config, url, response, z.record(z.string(), z.unknown()))
  const claims = {
    iss: api.iss?.(server) ?? server.issuer,
    ...mapClaims(api.claims, raw, granted),
    ...(await readMore(call, api, granted)),
  }
  return { raw, claims: { ...claims, sub: subjectOf(claims) } }
}

function assertScopes(config: ProviderConfig, granted: Granted): void {
  const grantedScopes = granted.scope.split(/[\s,]+/)
  const missingScopes = config.scope.filter((name) => !grantedScopes.includes(name))
  if (missingScopes.length === 0) return
  throw new FormError(
    messages.generic(
      `${labelOf(config)} was not allowed to share the required data (${missingScopes.join(', ')}). Please try again.`,
    ),
  )
}

async function readMore(call: ProviderCall, api: UserApi, granted: Granted): Promise<Claims> {
  if (!api.also) return {}
  const url = api.also.url(call.server.userinfo_endpoint ?? '')
  const response = await askApi(call, api, url, granted)
  if (response.status === 403 || response.status === 404) return {}
  const document = await readApi(call.config, url, response, z.unknown())
  return mapClaims(api.also.claims, document as Claims, granted)
}

function askApi({ config, fetch }: ProviderCall, api: UserApi, url: string, granted: Granted) {
  const { access_token } = granted
  const requestUrl = new URL(url)
  for (const [name, value] of Object.entries(api.query?.(config, access_token) ?? {}))
    requestUrl.searchParams.set(name, value)
  const headers = { Accept: 'application/json', Authorization: `Bearer ${access_token}` }
  return fetch(requestUrl.href, { headers: { ...headers, ...api.headers?.(access_token) } })
}

function mapClaims(mapping: Mapping, document: Claims, granted: Granted): Claims {
  return Object.fromEntries(
    Object.entries(mapping).map(([claim, source]) => [
      claim,
      typeof source === 'string' ? valueAt(document, source) : source(document, granted),
    ]),
  )
}

/** Larger numbers lose digits. */
function subjectOf({ sub }: Claims): unknown {
  return typeof sub === 'number' && Number.isSafeInteger(sub) && sub > 0 ? String(sub) : sub
}

/** Throws `ProtocolError` 502. */
export async function readApi<T>(
  config: ProviderConfig,
  url: string,
  response: Response,
  schema: z.ZodType<T>,
): Promise<T> {
  const { pathname } = new URL(url)
  if (!response.ok) throw unusable(config, `${pathname} responded with ${response.status}`)
  const parsed = schema.safeParse(await readJson(config, response))
  if (!parsed.success) throw unusable(config, `${pathname} has an unexpected format`)
  return parsed.data
}
