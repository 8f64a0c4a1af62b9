export interface WorkerSlot {
  /** From 1. A replacement keeps the number. */
  readonly number: number
  readonly of: number
  /** From the first worker, which has none. */
  readonly announcement?: unknown
}

const VARIABLE = 'MY_APP_WORKER'

export function readWorkerSlot(env: NodeJS.ProcessEnv): WorkerSlot | undefined {
  const text = env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as WorkerSlot)
}

export function workerSlotVariable(slot: WorkerSlot): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(slot) }
}

export function shareOf(total: number, { number, of }: Pick<WorkerSlot, 'number' | 'of'>): number {
  return Math.max(1, Math.floor(total / of) + (number <= total % of ? 1 : 0))
}
