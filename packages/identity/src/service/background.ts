import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { Log } from '../contract/contract.ts'

/** Work that no response waits for. Queued work is lost if the process dies. */
export type Background = ReturnType<typeof createBackground>

/** Separate, so that a hanging receiver does not delay database writes. */
const QUEUES = [
  'web hooks',
  'product hooks',
  'security events',
  'session activity',
  'remembered browsers',
] as const

type QueueName = (typeof QUEUES)[number]

type Work = (signal: AbortSignal) => Promise<unknown>

/** A silent receiver occupies a slot for ten seconds. */
const AT_ONCE = 20
/** Each entry takes a few kilobytes. */
const LONGEST_QUEUE = 500
const STOP_PATIENCE_MS = 5000

export function createBackground(log: Log) {
  const stopping = new AbortController()
  const queuesByName = new Map(QUEUES.map((name) => [name, createQueue(name, log, stopping.signal)]))
  const queues = [...queuesByName.values()]
  return {
    /** The work must log its own failures and stop when the signal aborts. */
    run(name: QueueName, work: Work): void {
      if (!stopping.signal.aborted) queuesByName.get(name)?.run(work)
    },
    /** Aborts running work after a few seconds. Queued work never starts. */
    async stop(): Promise<void> {
      const patience = setTimeout(() => stopping.abort(), STOP_PATIENCE_MS)
      await Promise.race([allIdle(queues), once(stopping.signal, 'abort')])
      clearTimeout(patience)
      for (const queue of queues) queue.clear()
      stopping.abort()
    },
  }
}

type Queue = ReturnType<typeof createQueue>

function createQueue(queue: QueueName, log: Log, signal: AbortSignal) {
  const underWay = new Set<Promise<void>>()
  const waiting: Work[] = []
  let dropped = 0

  function startWork(work: Work): void {
    const done: Promise<void> = work(signal)
      .catch(() => {})
      .then(() => {
        underWay.delete(done)
        const next = waiting.shift()
        if (next) startWork(next)
        if (waiting.length === 0) endOverload()
      })
    underWay.add(done)
  }

  function drop(): void {
    dropped += 1
    if (dropped === 1) log.warn({ queue }, 'background queue full; dropping new work')
  }

  function endOverload(): void {
    if (dropped > 0) log.info({ queue, dropped }, 'background queue has capacity again')
    dropped = 0
  }

  return {
    underWay,
    run(work: Work): void {
      if (underWay.size < AT_ONCE) startWork(work)
      // `bind` keeps the request's trace.
      else if (waiting.length < LONGEST_QUEUE) waiting.push(AsyncLocalStorage.bind(work))
      else drop()
    },
    clear(): void {
      const left_out = underWay.size + waiting.splice(0).length
      if (left_out > 0) log.warn({ queue, left_out }, 'stopped before background work finished')
    },
  }
}

/** Includes work that starts meanwhile: a web hook may record an event. */
async function allIdle(queues: readonly Queue[]): Promise<void> {
  const all = () => queues.flatMap(({ underWay }) => [...underWay])
  while (all().length > 0) await Promise.all(all())
}
