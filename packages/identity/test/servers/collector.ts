import type { IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

export interface ReceivedSpan {
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  readonly trace_id: string
  readonly span_id: string
  readonly parent_id: string | undefined
  readonly failed: boolean
  readonly milliseconds: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly resource: Readonly<Record<string, string | number>>
}

export interface Collector extends AsyncDisposable {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  readonly exports: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  readonly received: () => string
  find(wanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>
}

export interface CollectorFaults {
  readonly status?: number
  readonly silent?: true
}

/** Traces as JSON (OTLP over HTTP), on loopback. */
export async function startCollector({ status = 200, silent }: CollectorFaults = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const exports: { path: string; headers: IncomingHttpHeaders }[] = []
  const bodies: unknown[] = []
  let wake = Promise.withResolvers<void>()
  const server = await listenOnLoopback(async (request, response) => {
    exports.push({ path: request.url ?? '', headers: request.headers })
    const body = (await json(request)) as Export
    bodies.push(body)
    if (status === 200) spans.push(...spansOf(body))
    if (!silent) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    wake.resolve()
    wake = Promise.withResolvers()
  })
  return {
    url: server.url,
    spans,
    exports,
    received: () => JSON.stringify(bodies),
    async find(wanted) {
      for (;;) {
        const found = spans.find(wanted)
        if (found) return found
        await wake.promise
      }
    },
    [Symbol.asyncDispose]: server.close,
  }
}

interface Pair {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
        readonly status: { readonly code?: number }
        readonly attributes: readonly Pair[]
      }[]
    }[]
  }[]
}

const KINDS: readonly ReceivedSpan['kind'][] = ['internal', 'internal', 'server', 'client']

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        name: span.name,
        kind: KINDS[span.kind] ?? 'internal',
        trace_id: span.traceId,
        span_id: span.spanId,
        parent_id: span.parentSpanId || undefined,
        failed: span.status.code === 2,
        milliseconds: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: objectOf(span.attributes),
        resource: objectOf(resource.attributes),
      })),
  )
}

function objectOf(pairs: readonly Pair[]): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    pairs.map(({ key, value: { stringValue, intValue } }) => [key, stringValue ?? Number(intValue)]),
  )
}
