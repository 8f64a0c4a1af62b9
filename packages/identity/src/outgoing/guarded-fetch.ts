import { type LookupAddress, type LookupAllOptions, lookup as lookupName } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { ConfigError } from '../config/checks/config-error.ts'
import type { Config } from '../config/config.ts'
import { configSchema, type IdentityConfigInput } from '../config/schema.ts'
import { loadSources, type SourceTools } from '../config/sources/sources.ts'
import { withoutBrackets } from '../input/host.ts'

type Guard = Config['clients']['http']
type Resolve = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Connects to no private address if the configuration forbids it. Checks the socket's address, so DNS
 * rebinding does not help. Requests take a text body and follow no redirects.
 */
export function guardedFetch(guard: Guard, resolve: Resolve = lookupName): typeof fetch {
  if (!guard.disallow_private_ip_ranges) return fetch
  return async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const isException = guard.private_ip_exception_urls.some((pattern) => matchesUrl(pattern, url))
    const host = withoutBrackets(url.hostname)
    // Look-ups happen for names only.
    if (!isException && isIP(host) !== 0 && !isPublicAddress(host)) throw new PrivateAddressError()
    return await send(url, request, isException ? {} : { lookup: onlyPublic(resolve) })
  }
}

export class PrivateAddressError extends Error {
  constructor() {
    super('the address is private, which clients.http.disallow_private_ip_ranges forbids')
    this.name = 'PrivateAddressError'
  }
}

/** False for this host, its network, IANA special-purpose ranges, and services inside clouds. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  // IPv6 is assigned from here; ranges that embed IPv4 are elsewhere.
  const isAssigned = parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'))
  return isAssigned && ipaddr.subnetMatch(parsed, { cloud: IN_CLOUDS }, parsed.range()) === 'unicast'
}

/** Public by number, but answered by the cloud that a request comes from (FLT-09). */
const IN_CLOUDS = [
  // Azure's host: WireServer, with certificates and settings of the machine.
  '168.63.129.16/32',
  // Google's APIs, as a private network sees them.
  ...['199.36.153.4/30', '199.36.153.8/30', '34.126.0.0/18', '2001:4860:8040::/42'],
  ...['2600:2d00:2:1000::/56', '2600:2d00:2:2000::/56'],
  // IBM Cloud's private services.
  ...['161.26.0.0/16', '166.8.0.0/14'],
].map((range) => ipaddr.parseCIDR(range))

async function send(url: URL, request: Request, how: Pick<RequestOptions, 'lookup'>): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer())
  const options: RequestOptions = {
    method: request.method,
    headers: {
      ...Object.fromEntries(request.headers),
      ...(body.length === 0 ? {} : { 'content-length': body.length }),
    },
    signal: request.signal,
    ...how,
    // A socket opened under an exception must not be reused.
    agent: false,
  }
  const begin = url.protocol === 'https:' ? requestHttps : requestHttp
  return await new Promise((resolve, failed) => {
    begin(url, options, (incoming) => resolve(responseOf(addAbortSignal(request.signal, incoming))))
      .on('error', failed)
      .end(body)
  })
}

/** Resolves to public addresses only; the socket tries no others. */
function onlyPublic(resolve: Resolve): LookupFunction {
  return (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const publicAddresses = (addresses ?? []).filter(({ address }) => isPublicAddress(address))
      const [firstAddress] = publicAddresses
      if (error) done(error, '', 0)
      else if (!firstAddress) done(new PrivateAddressError(), '', 0)
      else if (options.all) done(null, publicAddresses)
      else done(null, firstAddress.address, firstAddress.family)
    })
  }
}

const WITHOUT_BODY = [204, 205, 304]

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 500
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  if (!WITHOUT_BODY.includes(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers })
  incoming.resume()
  return new Response(null, { status, headers })
}

/**
 * Matches a pattern of `private_ip_exception_urls`, ignoring query and fragment. `*` and `?` stop at a dot or
 * a slash, `**` does not.
 */
export function matchesUrl(pattern: string, { origin, pathname }: URL): boolean {
  const source = pattern.replaceAll(/\*\*|[\s\S]/g, (part) => WILDCARDS[part] ?? RegExp.escape(part))
  return new RegExp(`^${source}$`).test(origin + pathname)
}

const WILDCARDS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^./]*', '?': '[^./]' }

/** Loads everything that the configuration names by URL. Throws `ConfigError` with every problem. */
export async function resolveSources(
  input: IdentityConfigInput,
  { fetch = sourceFetch(input), kratos }: Partial<SourceTools> = {},
): Promise<IdentityConfigInput> {
  const { loaded, issues } = await loadSources(input, { fetch, kratos })
  if (issues.length > 0) throw new ConfigError(issues)
  return loaded
}

export function sourceFetch({ clients }: IdentityConfigInput): typeof fetch {
  const { data } = configSchema.shape.clients.safeParse(clients)
  return guardedFetch(data?.http ?? { disallow_private_ip_ranges: true, private_ip_exception_urls: [] })
}
