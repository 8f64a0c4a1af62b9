/** This process among the workers of one server. */
export interface WorkerSlot {
  /** From 1. A worker that takes the place of another has the same number. */
  readonly number: number
  readonly of: number
  /** What the first worker said when it was ready. Undefined for that one itself: it starts alone. */
  readonly announcement?: unknown
}

/** Not a setting: the primary passes it to the workers. */
const VARIABLE = 'MY_APP_WORKER'

/** Undefined unless this process is a worker. */
export function readWorkerSlot(env: NodeJS.ProcessEnv): WorkerSlot | undefined {
  const text = env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as WorkerSlot)
}

export function workerSlotVariable(slot: WorkerSlot): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(slot) }
}

/** What this worker gets of `total` things: together the workers have as many, but each at least one. */
export function shareOf(total: number, { number, of }: Pick<WorkerSlot, 'number' | 'of'>): number {
  return Math.max(1, Math.floor(total / of) + (number <= total % of ? 1 : 0))
}
