import { ProductError, readCapped } from '@ostiary/server'

export interface CodeHostRequestOptions {
  readonly base: string
  readonly fetch: typeof fetch
  readonly maxBodyBytes: number
  /** Time to the first byte, including DNS and connection. */
  readonly answerTimeoutMs: number
  readonly totalTimeoutMs: number
}

export interface CodeHostReply {
  readonly response: Response
  readonly body: string
}

/** Bounded in time and size. A renamed repository redirects to its number. */
export async function requestCodeHost(
  options: CodeHostRequestOptions,
  path: string,
  headers: Record<string, string>,
): Promise<CodeHostReply> {
  const giveUp = new AbortController()
  const answerTimer = setTimeout(() => giveUp.abort(), options.answerTimeoutMs)
  const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(options.totalTimeoutMs)])
  const send = (path: string) => options.fetch(options.base + path, { headers, redirect: 'manual', signal })
  try {
    let response = await send(path)
    for (let hops = 0; hops < MAX_REDIRECTS; hops += 1) {
      const next = redirectTarget(options.base, response)
      if (next === undefined) break
      await response.body?.cancel()
      response = await send(next)
    }
    clearTimeout(answerTimer)
    const body = await readCapped(response.body, options.maxBodyBytes)
    return { response, body: body.toString('utf8') }
  } catch (error) {
    const what = error instanceof RangeError ? 'sent more than was expected' : 'could not be reached'
    throw unavailable(`GitHub ${what}.`, error)
  } finally {
    clearTimeout(answerTimer)
  }
}

const MAX_REDIRECTS = 3

function redirectTarget(base: string, { status, headers }: Response): string | undefined {
  return isRedirect(status) ? pathBelow(base, headers.get('location') ?? '') : undefined
}

export function isRedirect(status: number): boolean {
  return status >= 301 && status <= 308 && status !== 304
}

/** Undefined on another host, which must not get the token (FLT-10). */
export function pathBelow(base: string, target: string): string | undefined {
  const url = URL.parse(target, `${base}/`)
  return url?.href.startsWith(`${base}/`) ? url.href.slice(base.length) : undefined
}

export function unknownName(): ProductError {
  return new ProductError('not_found', 404, 'GitHub does not know this name')
}

export function unavailable(message: string, cause?: unknown): ProductError {
  return new ProductError('code_host_unavailable', 502, message, { cause })
}
