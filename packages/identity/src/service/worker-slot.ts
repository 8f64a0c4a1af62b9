/** The position of this process among the workers of one server. */
export interface WorkerSlot {
  /** Counts from 1. A replacement has the same number. */
  readonly number: number
  readonly of: number
  /** The data that the first worker announced when ready. Undefined for the first worker. */
  readonly announcement?: unknown
}

/** Set by the primary process. */
const VARIABLE = 'MY_APP_WORKER'

/** Returns `undefined` unless this process is a worker. */
export function readWorkerSlot(env: NodeJS.ProcessEnv): WorkerSlot | undefined {
  const text = env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as WorkerSlot)
}

export function workerSlotVariable(slot: WorkerSlot): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(slot) }
}

/** Returns this worker's share of `total`, at least one. */
export function shareOf(total: number, { number, of }: Pick<WorkerSlot, 'number' | 'of'>): number {
  return Math.max(1, Math.floor(total / of) + (number <= total % of ? 1 : 0))
}
