import type { Snapshot, WorkerSlot } from '@my-app/identity/serving'
import { createBirpc } from 'birpc'

/** What a worker calls in the primary. */
export interface PrimaryCalls {
  /** It listens; `announcement` is passed to the workers that start after it. */
  ready(announcement: unknown): void
  /** It cannot start, and ends. */
  failed(reason: string): void
  /** The metrics of every worker, and what those counted that have ended. */
  snapshots(): Promise<Snapshot[]>
  /** Answers what only one process can know. */
  ask(question: unknown): Promise<unknown>
}

/** What the primary calls in a worker. */
export interface WorkerCalls {
  /** Returns at once unless the event loop is stuck. */
  ping(): void
  /** From now on this worker sends messages and cleans up. */
  becomeLeader(): void
  snapshot(): Promise<Snapshot>
  stop(): void
}

/** The primary as a worker sees it. */
export interface Primary extends Pick<PrimaryCalls, 'snapshots' | 'ask'> {
  readonly slot: WorkerSlot
  /** This worker listens, and takes these calls. */
  ready(announcement: unknown, calls: Omit<WorkerCalls, 'ping'>): void
  /** This worker ends. Resolves once the primary has been told. */
  failed(reason: string): Promise<void>
}

/** A demo provider may be asked to be slow. */
const PATIENCE_MS = 30_000

/**
 * Connects this worker with its primary. The primary passes the signals on, so that they are handled once: a terminal and
 * systemd send them to every process. Without a primary Node ends a worker by itself.
 */
export function joinPrimary(slot: WorkerSlot): Primary {
  let calls: Omit<WorkerCalls, 'ping'> | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const own: WorkerCalls = {
    ping: () => {},
    becomeLeader: () => calls?.becomeLeader(),
    snapshot: async () => (await calls?.snapshot()) ?? [],
    stop: () => calls?.stop(),
  }
  const primary = createBirpc<PrimaryCalls, WorkerCalls>(own, {
    post: (message) => new Promise<void>((sent) => process.send?.(message, () => sent())),
    on: (listener) => void process.on('message', listener),
    timeout: PATIENCE_MS,
  })
  return {
    slot,
    snapshots: () => primary.snapshots(),
    ask: (question) => primary.ask(question),
    ready(announcement, given) {
      calls = given
      void primary.ready.asEvent(announcement)
    },
    failed: (reason) => primary.failed.asEvent(reason),
  }
}
