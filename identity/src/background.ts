import type { Log } from './contract.ts'

/** Takes what no answer waits for: calls of web hooks. What waits here is lost when the process dies. */
export interface Background {
  /**
   * Begins `work` as soon as there is room. It says itself what went wrong with it, and ends early when the signal
   * aborts.
   */
  run(work: Work): void
  /** Lets what is there finish, for some seconds; then it is cut off, and what comes later never begins. */
  stop(): Promise<void>
}

type Work = (signal: AbortSignal) => Promise<unknown>

/** A receiver that does not answer holds a place for ten seconds. */
const AT_ONCE = 20
/** Each holds the form and the account that it tells of: some kilobytes. */
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
      else if (waiting.length < LONGEST_QUEUE) waiting.push(work)
      else crowd.leaveOut()
    },
    async stop() {
      const patience = setTimeout(() => ended.abort(), STOP_PATIENCE_MS)
      await Promise.race([allOf(under_way), aborted(ended.signal)])
      clearTimeout(patience)
      const left_out = under_way.size + waiting.splice(0).length
      if (left_out > 0) log.warn({ left_out }, 'the service ends before all web hooks were called')
      ended.abort()
    },
  }
}

/** Told once when it becomes too much, and once when it is over. */
function trackCrowd(log: Log) {
  let left_out = 0
  return {
    leaveOut(): void {
      left_out += 1
      if (left_out > 1) return
      log.warn({}, 'more web hooks are to be called than are answered: new ones are left out')
    },
    isOver(): void {
      if (left_out > 0) log.info({ left_out }, 'all web hooks are called again')
      left_out = 0
    },
  }
}

/** Also those that begin meanwhile. */
async function allOf(under_way: ReadonlySet<Promise<void>>): Promise<void> {
  while (under_way.size > 0) await Promise.all(under_way)
}

function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => {},
    // It was logged.
    () => {},
  )
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
