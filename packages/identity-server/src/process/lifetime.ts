import { flushCompileCache } from 'node:module'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import { messageOf } from '@ostiary/identity/serving'

/**
 * Stops at the first signal and exits at the second. Ignores SIGHUP unless it reads from a
 * terminal: nohup starts a service like that, and Node resets the signals that nohup ignores. After `longest`
 * milliseconds the process exits even if it is still stopping.
 */
export function stopOnSignal({ longest, stop }: { longest: number; stop(): Promise<void> }): void {
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

/** An SDK's timers or connections might keep the process alive. */
export function exitAfter(stop: () => Promise<void>): void {
  stop().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`It did not stop cleanly: ${messageOf(error)}\n`)
      process.exit(1)
    },
  )
}

/**
 * About 17 MB of the heap stay in use; on a large machine V8 would let it grow to 90. Call this
 * once the modules are loaded: a command-line flag slows the start by a quarter. The compiled code
 * is stored first, because V8 rejects it under other flags.
 */
export function keepHeapSmall(): void {
  flushCompileCache()
  setFlagsFromString('--heap-growing-percent=50')
}
