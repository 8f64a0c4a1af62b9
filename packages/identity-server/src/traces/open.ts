import type { Log, Tracing } from '@my-app/identity/serving'
import { VERSION } from '@my-app/identity/serving'
import type { TracingSettings } from './settings.ts'

/** Begins to export traces, if there are settings for it. Without them the SDK is not even loaded. */
export async function openTracing(
  settings: TracingSettings | undefined,
  log: Log,
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing(settings, VERSION, log)
}
