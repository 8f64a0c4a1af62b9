import { createHmac } from 'node:crypto'
import type { ProviderCall, ProviderKind, RequestToken } from '@ostiary/identity/providers'
import { providerError, randomToken, readApi, unusable } from '@ostiary/identity/providers'
import { z } from 'zod'

const API = 'https://api.twitter.com'

/** OAuth 1.0a (RFC 5849), as in Ory Kratos. */
export const x: ProviderKind = {
  metadata: () => ({
    issuer: API,
    authorization_endpoint: `${API}/oauth/authenticate`,
    token_endpoint: `${API}/oauth/access_token`,
    userinfo_endpoint: `${API}/1.1/account/verify_credentials.json`,
  }),
  parameters: (_config, refresh): Record<string, string> => (refresh ? { force_login: 'true' } : {}),
  signed: {
    requestToken: (call, callback) =>
      readToken(call, `${API}/oauth/request_token`, { oauth_callback: callback }),
    claims: readUser,
  },
}

async function readUser(call: ProviderCall, answer: URLSearchParams, requested: RequestToken | undefined) {
  const { config, server } = call
  if (answer.has('denied')) {
    throw providerError(config, 'You cancelled the login. Please try again, or choose another method.')
  }
  const oauth_verifier = answer.get('oauth_verifier')
  // Otherwise a link could complete another user's sign-in.
  if (!requested || !oauth_verifier || answer.get('oauth_token') !== requested.oauth_token) {
    throw providerError(config, 'The response was incomplete. Please try again.')
  }
  const token = await readToken(call, server.token_endpoint ?? '', { oauth_verifier }, requested)
  const url = new URL(server.userinfo_endpoint ?? '')
  if (config.scope.includes('email')) url.searchParams.set('include_email', 'true')
  const response = await send(call, 'GET', url, {}, token)
  const user = await readApi(config, url.href, response, userReply)
  return {
    iss: server.userinfo_endpoint,
    sub: user.id_str,
    name: user.name,
    preferred_username: user.screen_name,
    picture: user.profile_image_url_https,
    website: user.url,
    email: user.email,
  }
}

const text = z.string().nullish()
const userReply = z.object({
  // Users can change their name but not the number (SEC-26).
  id_str: z.string().regex(/^\d{1,20}$/),
  name: text,
  screen_name: text,
  profile_image_url_https: text,
  url: text,
  email: text,
})

async function readToken(
  call: ProviderCall,
  url: string,
  more: Record<string, string>,
  before?: RequestToken,
): Promise<RequestToken> {
  const response = await send(call, 'POST', new URL(url), more, before)
  if (!response.ok) throw unusable(call.config, `${url} responded with ${response.status}`)
  const reply = new URLSearchParams(await response.text())
  const [oauth_token, oauth_token_secret] = [reply.get('oauth_token'), reply.get('oauth_token_secret')]
  if (!oauth_token || !oauth_token_secret) throw unusable(call.config, `${url} has an unexpected format`)
  return { oauth_token, oauth_token_secret }
}

/** The parameters are in the header (RFC 5849, 3.5.1). */
async function send(
  { config, fetch, now }: ProviderCall,
  method: 'GET' | 'POST',
  url: URL,
  more: Record<string, string>,
  token?: RequestToken,
): Promise<Response> {
  const parameters = {
    ...more,
    ...(token ? { oauth_token: token.oauth_token } : {}),
    oauth_consumer_key: config.client_id,
    oauth_nonce: randomToken(),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(now.getTime() / 1000)),
    oauth_version: '1.0',
  }
  const secrets = [config.client_secret ?? '', token?.oauth_token_secret ?? '']
  const oauth_signature = signatureOf(method, url, parameters, secrets)
  const fields = Object.entries({ ...parameters, oauth_signature }).map(
    ([name, value]) => `${name}="${encode(value)}"`,
  )
  return await fetch(url.href, { method, headers: { Authorization: `OAuth ${fields.join(', ')}` } })
}

/** RFC 5849, 3.4. */
export function signatureOf(
  method: string,
  { origin, pathname, searchParams }: URL,
  parameters: Readonly<Record<string, string>>,
  secrets: readonly string[],
): string {
  const pairs = [...searchParams, ...Object.entries(parameters)].map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  )
  const base = [method, `${origin}${pathname}`, pairs.sort().join('&')].map(encode).join('&')
  return createHmac('sha1', secrets.map(encode).join('&')).update(base).digest('base64')
}

/** RFC 5849, 3.6. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
