import type { Log } from '@my-app/identity/serving'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import type { TracingSettings } from './settings.ts'

/** In milliseconds, for one export with its retries. */
const PATIENCE_MS = 5_000
/** Spans that wait for the collector, a kilobyte each. More are dropped. */
const LONGEST_QUEUE = 2_048
/** As many as one flush of a full queue needs. A collector that never ends its responses can occupy no more. */
const AT_ONCE = 6
const QUIET_MS = 60_000

/** Sends spans in batches. A collector that is away or slow costs spans, and never a request. */
export function createBatches(settings: TracingSettings, log: Log): BatchSpanProcessor {
  const { url, headers } = settings
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: PATIENCE_MS,
    concurrencyLimit: AT_ONCE,
  })
  return new BatchSpanProcessor({
    exporter: reported(exporter, new URL(url).host, log),
    maxQueueSize: LONGEST_QUEUE,
    exportTimeoutMillis: 2 * PATIENCE_MS,
  })
}

/** Logs failing exports once a minute, and their end. */
function reported(exporter: SpanExporter, host: string, log: Log): SpanExporter {
  let said = Number.NEGATIVE_INFINITY
  let lost = 0
  const note = (error: Error | undefined, count: number) => {
    if (!error) {
      if (lost > 0) log.info({ host, lost }, 'traces are exported again')
      said = Number.NEGATIVE_INFINITY
      lost = 0
      return
    }
    lost += count
    if (performance.now() - said < QUIET_MS) return
    said = performance.now()
    log.warn({ host, lost, reason: reasonOf(error) }, 'traces cannot be exported and are lost')
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed =
          result.code === ExportResultCode.SUCCESS ? undefined : (result.error ?? new Error('unknown'))
        note(failed, spans.length)
        done(result)
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

/** The status or the system's error code: a message could quote what the collector was sent. */
function reasonOf(error: Error): string {
  return 'code' in error && error.code !== undefined ? String(error.code) : error.message.slice(0, 100)
}
