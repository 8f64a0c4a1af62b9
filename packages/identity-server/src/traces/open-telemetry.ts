import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context, Span, SpanContext, Tracer } from '@opentelemetry/api'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Attributes, createOutageLog, type Log, type Tracing } from '@ostiary/identity/serving'
import type { TracingSettings } from './settings.ts'

const LONGEST_VALUE = 256
const STOP_PATIENCE_MS = 2_000
/** For one export with its retries. */
const EXPORT_PATIENCE_MS = 5_000
/** Spans of a kilobyte each. More are dropped. */
const LONGEST_QUEUE = 2_048
/** Exports. Enough to flush a full queue. */
const AT_ONCE = 6
const OUTAGE = { begin: 'traces cannot be exported; dropping them', end: 'exporting traces again' }

/** Registers nothing globally and patches no library, so that two services can share a process. */
export function startTracing(settings: TracingSettings, version: string, log: Log): Tracing {
  const attributes = { 'service.version': version, ...settings.resource }
  const provider = new TracerProvider({
    sampler: samplerOf(settings),
    resource: defaultResource().merge(resourceFromAttributes(attributes)),
    spanLimits: { attributeValueLengthLimit: LONGEST_VALUE },
    spanProcessors: [createBatches(settings, log)],
  })
  return createTracing(provider.getTracer('@ostiary/identity-server', version), async () => {
    const patience = delay(STOP_PATIENCE_MS, undefined, { ref: false })
    // Failures are logged.
    await Promise.race([provider.shutdown(), patience]).catch(() => {})
  })
}

/** A slow or missing collector costs spans, never a request. */
function createBatches({ url, headers }: TracingSettings, log: Log): BatchSpanProcessor {
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: EXPORT_PATIENCE_MS,
    concurrencyLimit: AT_ONCE,
  })
  return new BatchSpanProcessor({
    exporter: reported(exporter, new URL(url).host, log),
    maxQueueSize: LONGEST_QUEUE,
    exportTimeoutMillis: 2 * EXPORT_PATIENCE_MS,
  })
}

function reported(exporter: SpanExporter, host: string, log: Log): SpanExporter {
  const outage = createOutageLog(log, OUTAGE)
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { code, error = new Error('unknown') } = result
        if (code === ExportResultCode.SUCCESS) outage.answered()
        else outage.failed({ host, lost: spans.length, reason: reasonOf(error) })
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** A message could quote what was sent. */
function reasonOf(error: Error): string {
  return 'code' in error && error.code !== undefined ? String(error.code) : error.message.slice(0, 100)
}

export function samplerOf({ sampler, ratio }: Pick<TracingSettings, 'sampler' | 'ratio'>): Sampler {
  const root = rootSampler(sampler, ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function rootSampler(sampler: TracingSettings['sampler'], ratio: number): Sampler {
  if (sampler.endsWith('always_on')) return new AlwaysOnSampler()
  return sampler.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
}

interface Current {
  readonly span: Span
  readonly context: Context
  readonly time: () => number
  /** Undefined in background work. */
  readonly request?: { readonly span: Span; readonly id: string }
}

function createTracing(tracer: Tracer, stop: Tracing['stop']): Tracing {
  const current = new AsyncLocalStorage<Current>()
  const causes = createCauses()
  const openSpan = opener(tracer)
  return {
    begin({ name, request_id, attributes, from }) {
      const parentContext = from ? propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter) : ROOT_CONTEXT
      const opened = openSpan(name, SpanKind.SERVER, attributes, parentContext)
      const { span, time } = opened
      return {
        run: (work) => current.run({ ...opened, request: { span, id: request_id } }, work),
        end(route, learned) {
          learn(span.updateName(route), learned)
          span.end(time())
        },
      }
    },
    note: (attributes) => void current.getStore()?.request?.span.setAttributes(attributes),
    ran(name, milliseconds, attributes) {
      const store = current.getStore()
      if (!store?.span.isRecording()) return
      const end = store.time()
      const kind = 'db.system.name' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL
      const span = tracer.startSpan(name, { kind, startTime: end - milliseconds }, store.context)
      learn(span, attributes)
      span.end(end)
    },
    async within({ name, attributes, cause }, work) {
      const store = current.getStore()
      const parentContext = cause === undefined ? (store?.context ?? ROOT_CONTEXT) : causes.contextOf(cause)
      const opened = openSpan(name, SpanKind.CLIENT, attributes, parentContext)
      const { span, time } = opened
      const note = (more: Attributes) => learn(span, more)
      try {
        return await current.run({ ...store, ...opened }, () => work(note))
      } catch (error) {
        note({ 'error.type': error instanceof Error ? error.name : 'unknown' })
        throw error
      } finally {
        span.end(time())
      }
    },
    headers() {
      const carrier: Record<string, string> = {}
      const context = current.getStore()?.context
      if (context) propagator.inject(context, carrier, defaultTextMapSetter)
      return carrier
    },
    remember: (id) => causes.add(id, current.getStore()?.span),
    ids: () => idsOf(current.getStore()),
    stop,
  }
}

const propagator = new W3CTraceContextPropagator()

function opener(tracer: Tracer) {
  return (name: string, kind: SpanKind, attributes: Attributes, above: Context) => {
    const time = clock()
    const span = tracer.startSpan(name, { kind, attributes, startTime: time() }, above)
    return { span, time, context: trace.setSpan(above, span) }
  }
}

/** Milliseconds since 1970, even if the machine's clock is set meanwhile. */
function clock(): () => number {
  const offset = Date.now() - performance.now()
  return () => offset + performance.now()
}

function learn(span: Span, attributes: Attributes): void {
  span.setAttributes(attributes)
  if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
}

function idsOf({ span, request }: Partial<Current> = {}): Readonly<Record<string, string>> {
  if (!span) return {}
  const { traceId: trace_id, spanId: span_id } = span.spanContext()
  return { ...(request ? { request_id: request.id } : {}), trace_id, span_id }
}

/** Causes whose work has not run yet. Work of older ones begins a new trace. */
const MOST_CAUSES = 1_000

function createCauses() {
  const spans = new Map<string, SpanContext>()
  return {
    add(id: string, span: Span | undefined): void {
      if (!span) return
      spans.set(id, span.spanContext())
      for (const oldest of spans.keys()) {
        if (spans.size <= MOST_CAUSES) break
        spans.delete(oldest)
      }
    },
    contextOf(id: string): Context {
      const startedSpan = spans.get(id)
      return startedSpan ? trace.setSpanContext(ROOT_CONTEXT, startedSpan) : ROOT_CONTEXT
    },
  }
}
