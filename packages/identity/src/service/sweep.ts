import { runInOrder } from './jobs.ts'

/** Reading it blocks the event loop for 2 ms on SQLite. */
const WINDOW = 500
/** After a window with fewer deletions, the next one waits for the next round. */
const WORTHWHILE = 50
const BATCH_MS = 10

interface Window<Work, Place> {
  readonly found: readonly Work[]
  /** Undefined at the end of the table. */
  readonly last: Place | undefined
}

export interface Sweep<Work, Place> {
  /** Reads the next `size` rows, and returns those to remove. */
  list(after: Place | undefined, size: number): Promise<Window<Work, Place>>
  remove(work: Work): Promise<number>
}

export interface Round {
  readonly count: (rows: number) => void
  /** Without a write there is nothing for a checkpoint to do. */
  readonly rest: (since: number, hasWritten: boolean) => Promise<void>
  readonly signal: AbortSignal | undefined
}

/**
 * Each round continues where the last one ended, so that its cost does not grow with the rows that stay. Rows that
 * cannot be removed do not stop the others (FLT-31).
 */
export function createSweep<Work, Place>({ list, remove }: Sweep<Work, Place>) {
  let place: Place | undefined
  return async ({ count, rest, signal }: Round): Promise<void> => {
    const failures: unknown[] = []
    for (let isDense = true; isDense && !signal?.aborted; ) {
      let turnStart = performance.now()
      let removedCount = 0
      const removeOne = async (work: Work) => {
        if (signal?.aborted) return
        removedCount += await remove(work)
        if (performance.now() - turnStart < BATCH_MS) return
        await rest(turnStart, removedCount > 0)
        turnStart = performance.now()
      }
      const { found, last } = await list(place, WINDOW)
      await runInOrder(found.map((work) => () => removeOne(work))).catch((error: unknown) =>
        failures.push(error),
      )
      if (!signal?.aborted) place = last
      count(removedCount)
      isDense = last !== undefined && removedCount >= WORTHWHILE
      if (isDense) await rest(turnStart, true)
    }
    if (failures.length > 0) throw failures[0]
  }
}
