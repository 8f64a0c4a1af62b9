import type { Snapshot } from '@my-app/identity/serving'

/** What a worker calls in the primary. */
export interface PrimaryCalls {
  /** It listens; `told` is passed to the workers that start after it. */
  ready(told: unknown): void
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
  lead(): void
  snapshot(): Promise<Snapshot>
  stop(): void
}
