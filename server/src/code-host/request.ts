import { ProductError } from '../errors.ts'

export interface CodeHostRequestOptions {
  readonly base: string
  readonly fetch: typeof fetch
  readonly maxBodyBytes: number
  /** Until the first byte of the response, DNS and connection included. */
  readonly answerTimeoutMs: number
  readonly totalTimeoutMs: number
}

export interface CodeHostReply {
  readonly response: Response
  readonly body: string
}

/** One call, limited in time and size; redirects are returned, not followed. */
export async function requestCodeHost(
  options: CodeHostRequestOptions,
  path: string,
  headers: Record<string, string>,
): Promise<CodeHostReply> {
  const giveUp = new AbortController()
  const answerTimer = setTimeout(() => giveUp.abort(), options.answerTimeoutMs)
  const totalTimer = setTimeout(() => giveUp.abort(), options.totalTimeoutMs)
  try {
    const response = await options.fetch(options.base + path, {
      headers,
      redirect: 'manual',
      signal: giveUp.signal,
    })
    clearTimeout(answerTimer)
    return { response, body: await readBody(response, options.maxBodyBytes) }
  } catch (error) {
    if (error instanceof ProductError) throw error
    throw unavailable('GitHub could not be reached', error)
  } finally {
    clearTimeout(answerTimer)
    clearTimeout(totalTimer)
  }
}

export function unknownName(): ProductError {
  return new ProductError('not_found', 404, 'GitHub does not know this name')
}

export function unavailable(message: string, cause?: unknown): ProductError {
  return new ProductError('code_host_unavailable', 502, message, { cause })
}

async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    // Leaving the loop cancels the rest of the download.
    if (size > maxBytes) throw unavailable('GitHub sent more than was expected')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
