import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../contract/contract.ts'
import { plainFailure } from '../errors.ts'
import { NO_STORE } from '../route.ts'

/** A request as Node's own server has it. */
export interface PlainRequest {
  readonly method: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** For the log. */
  readonly request_id?: string | undefined
}

/** A response for servers that use Node's own objects. */
export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @param body JSON */
export function plainResponse(
  status: number,
  headers: PlainResponse['headers'],
  body: string,
): PlainResponse {
  return {
    status,
    headers: {
      'Cache-Control': NO_STORE,
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Cookie',
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  }
}

export function plainError(
  ctx: Context,
  request: Omit<PlainRequest, 'headers'>,
  error: unknown,
): PlainResponse {
  const { status, headers, body } = plainFailure(ctx, request, error)
  return plainResponse(status, headers, body)
}
