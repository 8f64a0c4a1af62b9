import { readCapped } from '@my-app/identity/serving'
import { ProductError } from '../http/errors.ts'

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

/** Bounded in time and size, without redirects. */
export async function requestCodeHost(
  options: CodeHostRequestOptions,
  path: string,
  headers: Record<string, string>,
): Promise<CodeHostReply> {
  const giveUp = new AbortController()
  const answerTimer = setTimeout(() => giveUp.abort(), options.answerTimeoutMs)
  try {
    const response = await options.fetch(options.base + path, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(options.totalTimeoutMs)]),
    })
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

export function unknownName(): ProductError {
  return new ProductError('not_found', 404, 'GitHub does not know this name')
}

export function unavailable(message: string, cause?: unknown): ProductError {
  return new ProductError('code_host_unavailable', 502, message, { cause })
}
