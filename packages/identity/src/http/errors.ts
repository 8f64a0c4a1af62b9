import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { UNREADABLE, UnreadableText } from '../crypto/secrets.ts'
import { FormError, LimitReached, ProtocolError, type ProtocolErrorParts } from '../errors/errors.ts'
import { LaterFailure } from '../flows/form/later-failure.ts'
import { errorUrl } from '../flows/form/urls.ts'
import { tryCount } from '../limits/limits.ts'
import { insertError } from '../storage/flows/flows.ts'
import type { GenericError } from '../wire/error.ts'
import { redirect } from './headers.ts'
import type { Http } from './request.ts'
import { setCookies } from './set-cookies.ts'

/** The longest path in the log (SEC-66). */
const LONGEST_PATH = 512

/** `pages` redirects a navigating browser to the error page; `data` always sends JSON. */
export type ErrorStyle = 'pages' | 'data'

/** An error other than `ProtocolError` is a bug: logged and hidden. */
export async function errorFor(ctx: Context, c: Http, error: unknown, style: ErrorStyle): Promise<Response> {
  const caller = c.get('caller') as Caller | undefined
  const parts = partsOf(
    ctx,
    { method: c.req.method, path: c.req.path.slice(0, LONGEST_PATH), request_id: caller?.request_id },
    error,
  )
  if (parts.id === 'upstream_error')
    ctx.log.warn(
      { cause: causesOf(parts.cause), request_id: caller?.request_id },
      'an upstream service failed',
    )
  const body = errorBody(ctx, parts, c.req.header('x-request-id'))
  setCookies(ctx, c, { ...parts, ...(error instanceof LaterFailure && error.cookies) })
  if (style === 'pages' && caller && !caller.json && !caller.accepts_json) {
    // The error page would store a row for each rejected request.
    if (error instanceof LimitReached) return tooManyInText(c, error)
    const page = parts.redirect ?? (await errorPage(ctx, body))
    if (page !== undefined) return redirect(c, page, 303)
  }
  c.header('Ory-Error-Id', parts.id ?? '')
  if (parts.retryAfter !== undefined) c.header('Retry-After', String(parts.retryAfter))
  return c.json({ error: body, ...parts.extra }, parts.status as 400)
}

export function plainFailure(
  ctx: Context,
  request: FailedRequest & { readonly headers: IncomingHttpHeaders },
  error: unknown,
) {
  const parts = partsOf(ctx, request, error)
  const headers: Record<string, string> = { 'Ory-Error-Id': parts.id ?? '' }
  if (parts.retryAfter !== undefined) headers['Retry-After'] = String(parts.retryAfter)
  const body = { error: errorBody(ctx, parts, request.headers['x-request-id']?.toString()), ...parts.extra }
  return { status: parts.status, headers, body: JSON.stringify(body) }
}

function partsOf(ctx: Context, request: FailedRequest, error: unknown): ProtocolErrorParts {
  const limit = error instanceof LimitReached ? limitParts(error) : undefined
  const parts = error instanceof ProtocolError ? error.parts : (limit ?? unexpected(ctx, request, error))
  if (error instanceof ProtocolError && parts.status === 503) logOutage(ctx, error, request)
  if (parts.id !== undefined) ctx.tracing?.note({ 'identity.error.id': parts.id })
  return parts
}

export function limitParts({ entries, retryAfter }: LimitReached) {
  const { text: reason = '', context: details = {} } = entries[0]?.message ?? {}
  return { id: 'too_many_attempts', status: 429, reason, details, retryAfter } as const
}

function tooManyInText(c: Http, limit: LimitReached): Response {
  const { reason, retryAfter } = limitParts(limit)
  c.header('Retry-After', String(retryAfter))
  return c.text(`${reason}\n`, 429)
}

/**
 * `undefined` if it cannot be stored. Counts as an opened flow, because it costs a client as little
 * (FLT-23).
 */
async function errorPage(ctx: Context, error: GenericError): Promise<string | undefined> {
  const id = newId()
  const { request: _, ...stored } = error
  try {
    if (!(await tryCount(ctx, { kind: 'flow' }))) return undefined
    await insertError(ctx.db, id, stored, ctx.now().toISOString())
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined
    throw cause
  }
  return errorUrl(ctx, id)
}

export function errorBody(
  { kratosTexts }: Pick<Context, 'kratosTexts'>,
  parts: ProtocolErrorParts,
  request?: string,
): GenericError {
  const code = parts.code ?? parts.status
  const { message, reason } = { ...parts, ...kratosTexts?.error(parts) }
  return {
    ...(parts.id === undefined ? {} : { id: parts.id }),
    code,
    status: STATUS_CODES[code] ?? 'Error',
    ...(request === undefined ? {} : { request: request.slice(0, 200) }),
    ...(reason === undefined ? {} : { reason }),
    ...(parts.details === undefined ? {} : { details: parts.details }),
    message: message ?? MESSAGES[code] ?? 'The request failed.',
  }
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request.',
  401: 'Not logged in.',
  403: 'The request is not allowed.',
  404: 'Not found.',
  409: 'The request conflicts with existing data.',
  410: 'Expired.',
  413: 'The request is too large.',
  422: 'The browser must be redirected first.',
  429: 'Too many attempts.',
  500: 'Internal error.',
  502: 'An upstream service sent an invalid response.',
  503: 'The service is busy.',
}

interface FailedRequest {
  readonly method: string
  readonly path: string
  readonly request_id?: string | undefined
}

function unexpected(
  ctx: Context,
  { method, path, request_id }: FailedRequest,
  error: unknown,
): ProtocolErrorParts {
  if (error instanceof FormError) return { status: 400, reason: error.entries[0]?.message.text ?? '' }
  if (isAbortedUpload(error)) return { status: 400, reason: 'The body of the request is incomplete.' }
  ctx.log.error({ err: error, path, method, request_id }, 'a request failed unexpectedly')
  const isUnreadable = error instanceof UnreadableText
  return {
    status: 500,
    reason: isUnreadable ? UNREADABLE : 'Something went wrong on our side. Please try again.',
  }
}

/** Node has no class for a client that disconnects during an upload. */
export function isAbortedUpload(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  )
}

const MINUTE_MS = 60_000
const MAX_CAUSES = 50

const createTimes = () => new Map<string, number>()

/** Logs each reason once a minute, because an outage rejects every request. `fields` identify the request. */
export function logOutage({ log, now, once }: Context, error: unknown, fields: object): void {
  const reason = (error instanceof Error && causesOf(error.cause)) || causesOf(error)
  const times = once(createTimes)
  const time = now().getTime()
  const last = times.get(reason)
  if (last !== undefined && Math.abs(time - last) < MINUTE_MS) return
  if (times.size >= MAX_CAUSES) times.clear()
  times.set(reason, time)
  log.error({ ...fields, cause: reason }, 'requests are answered with 503')
}

/** Messages only: other properties of an error may contain a token. */
function causesOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : ''
  const deeper = cause instanceof Error && cause.cause !== undefined ? causesOf(cause.cause) : ''
  return [message, deeper].filter((text) => text !== '').join(': ')
}
