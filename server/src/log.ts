import type { Log } from '@my-app/identity'
import { createLog as createLines, gatheredOutput, outliveReader } from '@my-app/identity'
import type { Settings } from './env.ts'

export type { Log }

/** JSON lines, or readable ones on a terminal. Callers log named fields only: no bodies, no headers, no query. */
export function createLog(level: Settings['log_level'], terminal: boolean): Log {
  outliveReader()
  return terminal
    ? createLines({ level, format: 'text', write: (line) => void process.stdout.write(line) })
    : createLines({ level, format: 'json', write: gatheredOutput() })
}
