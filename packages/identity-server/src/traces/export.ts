import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace'
import { createOutageLog, type Log } from '@ostiary/identity/serving'
import type { TracingSettings } from './settings.ts'

/** Milliseconds for one export with its retries. */
const PATIENCE_MS = 5_000
/** Spans of a kilobyte each. More are dropped. */
const LONGEST_QUEUE = 2_048
/** Enough to flush a full queue. */
const AT_ONCE = 6
const OUTAGE = { begin: 'traces cannot be exported; dropping them', end: 'exporting traces again' }

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
