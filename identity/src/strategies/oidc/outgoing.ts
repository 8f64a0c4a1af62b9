import type { Context } from '../../contract.ts'
import { unusable } from './problems.ts'
import type { ProviderConfig } from './providers/provider.ts'

export interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: URLSearchParams | undefined
}

export type Fetch = (url: string, sending?: Sending) => Promise<Response>

/** The whole conversation with a provider, in milliseconds: its answer must be there within five seconds (FLT-08). */
const TOTAL = 4500
const LARGEST_ANSWER = 256 * 1024

/**
 * Requests to one provider for one authorization: to its own hosts only, no redirect is followed (FLT-09), all of them
 * within one span of time, and answers of a size that a provider needs. Throws `ProtocolError` 502.
 */
export function outgoing(ctx: Context, config: ProviderConfig, hosts: ReadonlySet<string>): Fetch {
  const signal = AbortSignal.timeout(TOTAL)
  return async (url, { body, ...sending } = {}) => {
    const { host } = new URL(url)
    if (!hosts.has(host)) throw unusable(config, elsewhere(host))
    try {
      const response = await ctx.fetch(url, {
        ...sending,
        ...(body === undefined ? {} : { body }),
        redirect: 'error',
        signal,
      })
      const { status, headers } = response
      // Not every `fetch` that may stand here makes an error of it.
      if (status >= 300 && status < 400) throw new TypeError(`it answered ${status}`)
      const content = await readCapped(response)
      return new Response(NO_BODY.has(status) ? null : content, { status, headers: contentType(headers) })
    } catch (cause) {
      throw unusable(config, 'a request failed', cause)
    }
  }
}

function elsewhere(host: string): string {
  const known = `${host} is the host neither of issuer_url nor of token_url, so it is not asked`
  return `${known}; a token endpoint there is named by token_url, and claims_source: id_token needs no userinfo`
}

/** Throws `ProtocolError` 502 for what is no JSON. */
export async function readJson(config: ProviderConfig, response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw unusable(config, 'an answer is no JSON', cause)
  }
}

const NO_BODY = new Set([204, 205, 304])

function contentType(headers: Headers): Record<string, string> {
  const type = headers.get('content-type')
  return type === null ? {} : { 'content-type': type }
}

async function readCapped({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop by an error cancels the rest.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > LARGEST_ANSWER) throw new RangeError(`more than ${LARGEST_ANSWER} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
