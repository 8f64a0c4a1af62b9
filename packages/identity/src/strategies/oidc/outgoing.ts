import type { Context } from '../../contract/contract.ts'
import { fetchOf } from '../../events/call.ts'
import { readCapped } from '../../input/plain-text.ts'
import { type Fetch, type ProviderConfig, unusable } from './providers/provider.ts'

/** Our response is due within five seconds (FLT-08). */
const TOTAL_MS = 4500
const LARGEST_ANSWER = 256 * 1024

/** Allows only the provider's hosts, without redirects (FLT-09). Throws `ProtocolError` 502. */
export function outgoing(ctx: Context, config: ProviderConfig, hosts: ReadonlySet<string>): Fetch {
  const signal = AbortSignal.timeout(TOTAL_MS)
  const fetch = fetchOf(ctx, { target: 'provider', provider: config.id })
  return async (url, { body, ...sending } = {}) => {
    const { host } = new URL(url)
    if (!hosts.has(host)) throw unusable(config, elsewhere(host))
    try {
      const response = await fetch(url, {
        ...sending,
        ...(body === undefined ? {} : { body }),
        redirect: 'error',
        signal,
      })
      const { status, headers } = response
      // Some implementations of `fetch` do not throw here.
      if (status >= 300 && status < 400) throw new TypeError(`it responded with ${status}`)
      const content = await readCapped(response.body, LARGEST_ANSWER)
      return new Response(NO_BODY.has(status) ? null : content, { status, headers: contentType(headers) })
    } catch (cause) {
      throw unusable(config, 'a request failed', cause)
    }
  }
}

function elsewhere(host: string): string {
  const reason = `${host} is the host neither of issuer_url nor of token_url, so it is not requested`
  return `${reason}; set token_url to use a token endpoint there, and claims_source: id_token needs no userinfo`
}

/** Throws `ProtocolError` 502. */
export async function readJson(config: ProviderConfig, response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw unusable(config, 'a response is not valid JSON', cause)
  }
}

const NO_BODY = new Set([204, 205, 304])

function contentType(headers: Headers): Record<string, string> {
  const type = headers.get('content-type')
  return type === null ? {} : { 'content-type': type }
}
