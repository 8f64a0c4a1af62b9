import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '@ostiary/identity/serving'
import type { TracingSettings } from './settings.ts'

/** Milliseconds for one export with its retries. */
const PATIENCE_MS = 5_000
/** Spans of a kilobyte each. More are dropped. */
const LONGEST_QUEUE = 2_048
/** Enough to flush a full queue. */
const AT_ONCE = 6
const QUIET_MS = 60_000

/** A slow or missing collector costs spans, never a request. */
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

/** Logs failures once a minute, and recovery. */
function reported(exporter: SpanExporter, host: string, log: Log): SpanExporter {
  let lastWarned = Number.NEGATIVE_INFINITY
  let lostSpans = 0
  const recordResult = (error: Error | undefined, count: number) => {
    if (!error) {
      if (lostSpans > 0) log.info({ host, lost: lostSpans }, 'exporting traces again')
      lastWarned = Number.NEGATIVE_INFINITY
      lostSpans = 0
      return
    }
    lostSpans += count
    if (performance.now() - lastWarned < QUIET_MS) return
    lastWarned = performance.now()
    log.warn({ host, lost: lostSpans, reason: reasonOf(error) }, 'traces cannot be exported; dropping them')
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failure =
          result.code === ExportResultCode.SUCCESS ? undefined : (result.error ?? new Error('unknown'))
        recordResult(failure, spans.length)
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
