/** The place of a process among the workers of one port. */
export interface WorkerSlot {
  /** From 1. A replacement keeps the number. */
  readonly number: number
  readonly of: number
  /** Sent by the first worker, which itself has none. */
  readonly announcement?: unknown
}

const VARIABLE = 'OSTIARY_WORKER'

/** Undefined in a process that is not a worker. */
export function readWorkerSlot(env: NodeJS.ProcessEnv): WorkerSlot | undefined {
  const text = env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as WorkerSlot)
}

/** The environment variable from which a new worker reads its slot. */
export function workerSlotVariable(slot: WorkerSlot): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(slot) }
}

export function shareOf(total: number, { number, of }: Pick<WorkerSlot, 'number' | 'of'>): number {
  return Math.max(1, Math.floor(total / of) + (number <= total % of ? 1 : 0))
}
