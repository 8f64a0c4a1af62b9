import { VERSION } from '../config/version.ts'
import type { Log } from '../contract.ts'
import type { TracingSettings } from './settings.ts'
import type { Tracing } from './tracing.ts'

/** Begins to export traces, if there are settings for it. Without them the SDK is not even loaded. */
export async function openTracing(
  settings: TracingSettings | undefined,
  log: Log,
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing(settings, VERSION, log)
}
