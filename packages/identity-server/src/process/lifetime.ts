import { flushCompileCache } from 'node:module'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { messageOf } from '@my-app/identity/serving'

export interface Lifetime {
  stop(): Promise<void>
  /** Milliseconds after which a process that still stops is ended. */
  readonly longest: number
}

/**
 * Stops at the first signal; a second one ends the process at once. SIGHUP says that the terminal closed: a service that
 * reads from none keeps running. That is how nohup starts it, and Node resets the signals that nohup had ignored.
 */
export function stopOnSignal({ longest, stop }: Lifetime): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGHUP' && !isatty(0)) return
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), longest).unref()
    exitAfter(stop)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

/** Stops, then ends the process, which an SDK's timers or connections might keep alive. */
export function exitAfter(stop: Lifetime['stop']): void {
  stop().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`It did not stop cleanly: ${messageOf(error)}\n`)
      process.exit(1)
    },
  )
}

/**
 * Some 17 MB of the heap stay in use; on a machine with much memory V8 would let it grow to 90 before it collects. To be
 * called once the modules are loaded: as an argument of Node the flag costs a quarter of the start, because V8 then
 * collects while it loads them. What is compiled is stored first, because V8 rejects it under other flags.
 */
export function keepHeapSmall(): void {
  flushCompileCache()
  setFlagsFromString('--heap-growing-percent=50')
}
