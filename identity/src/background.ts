import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from './contract.ts'

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
  const under_way = new Set<Promise<void>>()
  const waiting: Work[] = []
  const ended = new AbortController()
  const crowd = trackCrowd(log)

  function begin(work: Work): void {
    const done = settled(work(ended.signal)).then(() => {
      under_way.delete(done)
      const next = waiting.shift()
      if (next) begin(next)
      if (waiting.length === 0) crowd.isOver()
    })
    under_way.add(done)
  }

  return {
    run(work) {
      if (ended.signal.aborted) return
      if (under_way.size < AT_ONCE) begin(work)
      // The work before it begins this one, which belongs to the trace of its own request.
      else if (waiting.length < LONGEST_QUEUE) waiting.push(AsyncLocalStorage.bind(work))
      else crowd.leaveOut()
    },
    async stop() {
      const patience = setTimeout(() => ended.abort(), STOP_PATIENCE_MS)
      await Promise.race([allOf(under_way), aborted(ended.signal)])
      clearTimeout(patience)
      const left_out = under_way.size + waiting.splice(0).length
      if (left_out > 0) log.warn({ left_out }, 'stopped before all web hooks were called')
      ended.abort()
    },
  }
}

/** Logs the overload once, and its end once. */
function trackCrowd(log: Log) {
  let left_out = 0
  return {
    leaveOut(): void {
      left_out += 1
      if (left_out > 1) return
      log.warn({}, 'the web hook queue is full: new calls are dropped')
    },
    isOver(): void {
      if (left_out > 0) log.info({ left_out }, 'the web hook queue has capacity again')
      left_out = 0
    },
  }
}

/** Including work that starts meanwhile. */
async function allOf(under_way: ReadonlySet<Promise<void>>): Promise<void> {
  while (under_way.size > 0) await Promise.all(under_way)
}

function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => {},
    // Already logged.
    () => {},
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
