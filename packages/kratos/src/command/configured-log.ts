import type { Config, Log } from '@ostiary/identity/serving'
import { createLog, gatheredOutput, type LogOptions } from '@ostiary/identity-server/process'

/** Kratos has more log levels. */
const LEVELS = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warning: 'warn',
  error: 'error',
  fatal: 'error',
  panic: 'error',
} as const

/** `shared`: other processes write to the same output. */
export function openLog({ log }: Config, { shared }: { readonly shared: boolean }): Log {
  return createLog({ ...destination(log, shared), level: LEVELS[log.level] })
}

/** Warnings about the configuration ignore `log.level`. */
export function warner({ log }: Config): (sentence: string) => void {
  const always = createLog({ ...destination(log, true), level: 'warn' })
  return (sentence) => always.warn({}, sentence)
}

/** Text on a terminal. */
function destination(log: Config['log'], shared: boolean): Pick<LogOptions, 'format' | 'write'> {
  const json = log.format === 'json' || (log.format === undefined && !process.stdout.isTTY)
  return json
    ? { format: 'json', write: gatheredOutput({ shared }) }
    : { format: 'text', write: (line) => void process.stdout.write(line) }
}
