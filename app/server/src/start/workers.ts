import type { Workers } from '@my-app/identity-server/process'
import { startWorkers } from '@my-app/identity-server/process'
import { answerWorkers } from '../demo/provider/across-workers.ts'
import type { Settings } from '../settings/env.ts'
import type { Log } from './log.ts'

/** Starts the workers that serve; this process only keeps them running. */
export async function startProductWorkers(
  settings: Settings,
  log: Log,
  stop_patience: number,
): Promise<Workers> {
  return await startWorkers({
    count: settings.workers,
    log,
    stop_patience,
    ...(settings.demo ? { answer: answerWorkers(settings.public_url) } : {}),
  })
}
