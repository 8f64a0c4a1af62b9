import type { Log } from '@my-app/identity-server/process'
import { createLog as createLines, gatheredOutput, outliveReader } from '@my-app/identity-server/process'
import type { Settings } from '../settings/env.ts'

export type { Log }

export interface LogTarget {
  /** The output is a terminal: lines are for its reader, else JSON. */
  readonly terminal: boolean
  /** Other processes write there too. */
  readonly shared: boolean
}

/** Callers log named fields only: no bodies, no headers, no query. */
export function createLog(level: Settings['log_level'], { terminal, shared }: LogTarget): Log {
  outliveReader()
  return terminal
    ? createLines({ level, format: 'text', write: (line) => void process.stdout.write(line) })
    : createLines({ level, format: 'json', write: gatheredOutput({ shared }) })
}
