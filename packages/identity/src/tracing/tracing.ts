import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../contract/contract.ts'
import type { AttributeName } from './catalogue.ts'

export type Attributes = Readonly<Partial<Record<AttributeName, string | number>>>

/** Traces of one service, exported to a collector. Where tracing is off there is none, and the SDK is not loaded. */
export interface Tracing {
  /** Begins the span of a request. */
  begin(request: RequestStart): RequestSpan
  /** Adds to the span of the current request. */
  note(attributes: Attributes): void
  /** A part of the current request that took `milliseconds` until now. */
  ran(name: string, milliseconds: number, attributes: Attributes): void
  within<T>(start: SpanStart, work: (note: Note) => Promise<T>): Promise<T>
  /** Headers that join the spans of another service of the operator to the current one: `traceparent`. */
  headers(): Readonly<Record<string, string>>
  /** Keeps the current span under an id, for work that it causes and that runs later: see `SpanStart.cause`. */
  remember(id: string): void
  /** The ids of the current request for log lines; empty outside of one. */
  ids(): Readonly<Record<string, string>>
  /** Exports what has ended, for at most two seconds. */
  stop(): Promise<void>
}

export interface RequestStart {
  readonly name: string
  readonly request_id: string
  readonly attributes: Attributes
  /** Headers whose `traceparent` is continued. Undefined if the sender is not trusted. */
  readonly from?: IncomingHttpHeaders | undefined
}

export interface RequestSpan {
  /** Makes this the span of the work that `work` begins. */
  run(work: () => void): void
  end(name: string, attributes: Attributes): void
}

export interface SpanStart {
  readonly name: string
  readonly attributes: Attributes
  /** An id of `remember`: the span belongs to that trace, and not to the current one. */
  readonly cause?: string
}

export type Note = (attributes: Attributes) => void

export function withTraceIds(log: Log, tracing: Tracing | undefined): Log {
  if (!tracing) return log
  return {
    debug: (fields, message) => log.debug({ ...tracing.ids(), ...fields }, message),
    info: (fields, message) => log.info({ ...tracing.ids(), ...fields }, message),
    warn: (fields, message) => log.warn({ ...tracing.ids(), ...fields }, message),
    error: (fields, message) => log.error({ ...tracing.ids(), ...fields }, message),
  }
}
