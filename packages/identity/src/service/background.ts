import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../contract/contract.ts'

/** Runs work that no response waits for: web hooks. Queued work is lost if the process dies. */
export interface Background {
  /** Starts `work` when there is capacity. The work reports its own failures, and stops when the signal aborts. */
  run(work: Work): void
  /** Lets running work finish for a few seconds, then aborts it; queued work never starts. */
  stop(): Promise<void>
}

type Work = (signal: AbortSignal) => Promise<unknown>

/** A receiver that does not respond occupies a slot for ten seconds. */
const AT_ONCE = 20
/** Each holds a form and an account: a few kilobytes. */
const LONGEST_QUEUE = 500
const STOP_PATIENCE_MS = 5000

export function createBackground(log: Log): Background {
  const underWay = new Set<Promise<void>>()
  const waiting: Work[] = []
  const ended = new AbortController()
  const overload = trackOverload(log)

  function begin(work: Work): void {
    // The work has logged its own failure.
    const done: Promise<void> = work(ended.signal)
      .catch(() => {})
      .then(() => {
        underWay.delete(done)
        const next = waiting.shift()
        if (next) begin(next)
        if (waiting.length === 0) overload.end()
      })
    underWay.add(done)
  }

  return {
    run(work) {
      if (ended.signal.aborted) return
      if (underWay.size < AT_ONCE) begin(work)
      // Begun when other work ends, but in the trace of its own request.
      else if (waiting.length < LONGEST_QUEUE) waiting.push(AsyncLocalStorage.bind(work))
      else overload.drop()
    },
    async stop() {
      const patience = setTimeout(() => ended.abort(), STOP_PATIENCE_MS)
      await Promise.race([allOf(underWay), aborted(ended.signal)])
      clearTimeout(patience)
      const left_out = underWay.size + waiting.splice(0).length
      if (left_out > 0) log.warn({ left_out }, 'stopped before all web hooks were called')
      ended.abort()
    },
  }
}

/** Logs an overload once, and its end once. */
function trackOverload(log: Log) {
  let left_out = 0
  return {
    drop(): void {
      left_out += 1
      if (left_out === 1) log.warn({}, 'the web hook queue is full: new calls are dropped')
    },
    end(): void {
      if (left_out > 0) log.info({ left_out }, 'the web hook queue has capacity again')
      left_out = 0
    },
  }
}

/** Including work that starts meanwhile. */
async function allOf(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
