import type { Log } from '@my-app/identity'
import { createLog as createLines, gatheredOutput } from '@my-app/identity'
import type { Settings } from './env.ts'

export type { Log }

/** JSON lines, or readable ones on a terminal. Callers log named fields only: no bodies, no headers, no query. */
export function createLog(level: Settings['log_level'], terminal: boolean): Log {
  // The reader of the log (`… | head`, a log shipper) may end before the server: only its lines are lost.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return terminal
    ? createLines({ level, format: 'text', write: (line) => void process.stdout.write(line) })
    : createLines({ level, format: 'json', write: gatheredOutput() })
}
