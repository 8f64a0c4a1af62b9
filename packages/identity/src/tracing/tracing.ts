import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../contract/contract.ts'
import type { AttributeName } from './catalogue.ts'

export type Attributes = Readonly<Partial<Record<AttributeName, string | number>>>

/** Undefined where tracing is off; the SDK is then not loaded. */
export interface Tracing {
  begin(request: RequestStart): RequestSpan
  note(attributes: Attributes): void
  /** A part of the current request that ended now. */
  ran(name: string, milliseconds: number, attributes: Attributes): void
  within<T>(start: SpanStart, work: (note: Note) => Promise<T>): Promise<T>
  /** `traceparent`, to send to another service of the operator. */
  headers(): Readonly<Record<string, string>>
  /** Keeps the current span for work that runs later (`SpanStart.cause`). */
  remember(id: string): void
  /** Ids for log lines; empty outside of a request. */
  ids(): Readonly<Record<string, string>>
  /** Takes at most two seconds. */
  stop(): Promise<void>
}

interface RequestStart {
  readonly name: string
  readonly request_id: string
  readonly attributes: Attributes
  /** Undefined if the sender is not trusted. */
  readonly from?: IncomingHttpHeaders | undefined
}

interface RequestSpan {
  run(work: () => void): void
  end(name: string, attributes: Attributes): void
}

interface SpanStart {
  readonly name: string
  readonly attributes: Attributes
  /** An id of `remember`, whose trace the span joins. */
  readonly cause?: string
}

type Note = (attributes: Attributes) => void

/** A log whose lines name the current trace and span. */
export function withTraceIds(log: Log, tracing: Tracing | undefined): Log {
  return tracing ? withFields(log, () => tracing.ids()) : log
}

export function withFields(log: Log, more: () => object): Log {
  return {
    debug: (fields, message) => log.debug({ ...more(), ...fields }, message),
    info: (fields, message) => log.info({ ...more(), ...fields }, message),
    warn: (fields, message) => log.warn({ ...more(), ...fields }, message),
    error: (fields, message) => log.error({ ...more(), ...fields }, message),
  }
}

export interface OutgoingCall {
  readonly target:
    | 'provider'
    | 'web_hook'
    | 'breached_passwords'
    | 'oauth2_provider'
    | 'product'
    | 'identity_service'
  readonly provider?: string
  readonly method: string
  /** Only its host is shown: paths and queries may hold secrets. */
  readonly url: string | URL
}

export async function tracedCall<Answer>(
  tracing: Tracing | undefined,
  { target, provider, method, url }: OutgoingCall,
  call: () => Promise<Answer>,
  statusOf: (answer: Answer) => number,
): Promise<Answer> {
  if (!tracing) return await call()
  const attributes = {
    'identity.call.target': target,
    ...(provider === undefined ? {} : { 'identity.call.provider': provider }),
    'http.request.method': method,
    'server.address': new URL(url).hostname,
  }
  return await tracing.within({ name: `${method} ${target}`, attributes }, async (note) => {
    const answer = await call()
    const status = statusOf(answer)
    note({ 'http.response.status_code': status, ...(status >= 400 ? { 'error.type': String(status) } : {}) })
    return answer
  })
}
