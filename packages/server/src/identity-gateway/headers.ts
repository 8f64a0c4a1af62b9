import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { cookiePairs, type Tracing } from '@ostiary/identity/serving'
import type { ClientReader } from '@ostiary/identity-server'
import type { Context } from 'hono'

// RFC 9110 §7.6.1: these headers belong to one connection.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])
/**
 * Written by proxies and CDNs, about the client, the request, its user and its trace. A client's values must not look
 * like ours (SEC-106).
 */
const notForwarded = new RegExp(
  `^(${[
    'forwarded|x-forwarded.*|x-real-.*|(x-)?client-.*|x-client.*|(x-)?cluster-.*|(x-)?true-.*|(x-)?remote-.*|via',
    'fastly-.*|cf-.*|cdn-.*|fly-.*|do-.*|x-appengine-.*|x-azure-.*|x-arr-.*|x-envoy-.*|x-vercel-.*|x-nf-.*',
    '(x-)?akamai-.*|incap-.*|x-sucuri-.*|x-proxy.*|proxy.*|wl-proxy-.*|x-originating-.*|(x-)?ssl-.*|front-end-.*',
    'host|x-host|x-scheme|x-url.*|x-protocol|x-original-.*|x-rewrite-.*|x-http-.*|x-method.*|x-script-name',
    '(x-)?ory-.*|x-kratos-.*|x-hydra-.*|x-keto-.*|x-user.*|x-auth-.*|x-authenticated-.*|x-identity.*|x-webauth-.*',
    'x-amzn-.*|x-goog-.*|x-ms-.*|x-tailscale-.*|tailscale-.*|x-vouch-.*|x-pomerium-.*|x-consumer-.*|x-roles?',
    'x-request-id|x-correlation-id|traceparent|tracestate|baggage|b3|x-b3-.*|x-cloud-trace-.*|x-datadog-.*|uber-.*',
  ].join('|')})$`,
)
/** Many servers read `_` and other characters as `-`, or both as `_`. */
const plainName = /^[a-z\d-]+$/

// An allowlist: others could replace the pages' security headers, clear our cookies, or redirect.
const RESPONSE_HEADERS = new Set([
  'age',
  'allow',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'ory-error-id',
  'ory-session-cache-for',
  'pragma',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'vary',
  'www-authenticate',
  'x-content-type-options',
  'x-kratos-authenticated-identity-id',
  'x-total-count',
])

export interface Origins {
  readonly ours: string
  readonly theirs: string
}

export function forwardedHeaders(
  c: Context,
  origins: Origins,
  { client, tracing }: { readonly client: ClientReader; readonly tracing: Tracing | undefined },
): Record<string, string> {
  const dropped = connectionOptions(c.req.header('connection'))
  const headers: Record<string, string> = {}
  c.req.raw.headers.forEach((value, name) => {
    if (!plainName.test(name) || hopByHop.has(name) || notForwarded.test(name) || dropped.has(name)) return
    const forwarded = forwardedValue(name, value, origins)
    if (forwarded !== undefined) headers[name] = forwarded
  })
  const { incoming, outgoing }: Partial<HttpBindings> = c.env ?? {}
  const address = incoming && client.address(incoming)
  const request_id = outgoing?.getHeader('x-request-id')
  return {
    ...headers,
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    ...(typeof request_id === 'string' ? { 'x-request-id': request_id } : {}),
    ...(tracing ? tracing.headers() : incoming && client.isTrusted(incoming) ? traceOf(incoming) : {}),
    'x-forwarded-proto': origins.ours.split(':', 1)[0] ?? '',
    // Ory Network would redirect between a project's host names.
    'ory-no-custom-domain-redirect': 'true',
  }
}

/** Continues a proxy's trace while this server does not trace. */
function traceOf({ headers: { traceparent, tracestate } }: IncomingMessage): Record<string, string> {
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  }
}

function forwardedValue(name: string, value: string, { ours, theirs }: Origins): string | undefined {
  switch (name) {
    case 'cookie':
      return withoutOwnCookies(value)
    case 'origin':
      return value === ours ? theirs : value
    case 'referer':
      // URLs of our pages contain flow ids and codes.
      return URL.parse(value)?.origin === ours ? `${theirs}/` : value
    default:
      return value
  }
}

export function responseHeaders(
  { headers: { connection }, rawHeaders }: IncomingMessage,
  https: boolean,
  rewrite: (address: string) => string,
): Headers {
  const dropped = connectionOptions(connection)
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!RESPONSE_HEADERS.has(name) || dropped.has(name)) continue
    // Set-Cookie headers cannot be joined: browsers do not split them at commas.
    headers.append(name, answeredValue(name, rawHeaders[index + 1] ?? '', https, rewrite))
  }
  // Shared caches must not store a response with a cookie (SEC-47).
  const keepable = !/no-store|private/.test(headers.get('cache-control') ?? 'private')
  if (keepable && headers.has('set-cookie')) headers.set('cache-control', 'private, no-store')
  return headers
}

function answeredValue(
  name: string,
  value: string,
  https: boolean,
  rewrite: (address: string) => string,
): string {
  switch (name) {
    case 'set-cookie':
      return toOurCookie(value, https)
    case 'location':
    case 'content-location':
      return rewrite(value)
    case 'link':
      // RFC 8288 §3: URLs are in angle brackets.
      return value.replace(/<([^<>]*)>/g, (_, address: string) => `<${rewrite(address)}>`)
    default:
      return value
  }
}

function connectionOptions(value: string | undefined): Set<string> {
  return new Set((value ?? '').split(',').map((name) => name.trim().toLowerCase()))
}

/** Rewrites a cookie for this host and all paths, because the product API reads the session too. */
export function toOurCookie(header: string, https: boolean): string {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim())
  // Browsers require Secure for prefixed names (RFC 6265bis §4.1.3), even over http on loopback.
  const secure = https || /^__(host|secure)-/i.test(pair)
  const keptAttributes = attributes.flatMap((attribute) => keptAttribute(attribute, secure))
  return [pair, ...keptAttributes, 'Path=/', ...(secure ? ['Secure'] : [])].join('; ')
}

function keptAttribute(attribute: string, secure: boolean): string[] {
  switch (attribute.split('=', 1)[0]?.trim().toLowerCase()) {
    case 'domain':
    case 'path':
    case 'secure':
      return []
    case 'samesite':
      // None and Partitioned require Secure.
      return [!secure && /=\s*none$/i.test(attribute) ? 'SameSite=Lax' : attribute]
    case 'partitioned':
      return secure ? [attribute] : []
    default:
      return [attribute]
  }
}

/** Removes our cookies: the other service must not receive our token. */
export function withoutOwnCookies(header: string): string | undefined {
  const keptPairs = cookiePairs(header).filter((pair) => pair !== '' && !pair.startsWith('user_jwt='))
  return keptPairs.join('; ') || undefined
}
