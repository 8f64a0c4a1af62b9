import type { Snapshot, WorkerSlot } from '@ostiary/identity/serving'
import { createBirpc } from 'birpc'

export interface PrimaryCalls {
  /** `announcement` is for workers that start later. */
  ready(announcement: unknown): void
  /** The worker cannot start and exits. */
  failed(reason: string): void
  /** The metrics of every worker, including exited ones. */
  snapshots(): Promise<Snapshot[]>
  /** Asks the primary for something only it knows. */
  ask(question: unknown): Promise<unknown>
}

export interface WorkerCalls {
  /** Responds unless the event loop is stuck. */
  ping(): void
  becomeLeader(): void
  snapshot(): Promise<Snapshot>
  stop(): void
}

export interface Primary extends Pick<PrimaryCalls, 'snapshots' | 'ask'> {
  readonly slot: WorkerSlot
  /** The worker listens and accepts these calls. */
  ready(announcement: unknown, calls: Omit<WorkerCalls, 'ping'>): void
  /** Resolves when the primary has the reason. */
  failed(reason: string): Promise<void>
}

/** Demo providers may be slow on purpose. */
const PATIENCE_MS = 30_000

/**
 * Ignores signals, which a terminal and systemd send to every process: the primary passes them on once. Node
 * ends a worker whose primary is gone.
 */
export function joinPrimary(slot: WorkerSlot): Primary {
  let calls: Omit<WorkerCalls, 'ping'> | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const workerCalls: WorkerCalls = {
    ping: () => {},
    becomeLeader: () => calls?.becomeLeader(),
    snapshot: async () => (await calls?.snapshot()) ?? [],
    stop: () => calls?.stop(),
  }
  const primary = createBirpc<PrimaryCalls, WorkerCalls>(workerCalls, {
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
