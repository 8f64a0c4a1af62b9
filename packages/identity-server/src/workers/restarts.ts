/** Bounds what a worker that exits at once takes from the processor: starting takes a second of it. */
const LONGEST_MS = 10_000
/** A worker that ran for this long was healthy: its replacement starts at once. */
const HEALTHY_MS = 60_000

/**
 * Spaces the starts of each worker: a replacement starts at once, the next ones 1, 2, 4, 8 and 10 seconds after the start
 * before theirs. There is no last attempt, because clients may be the cause of the exits (FLT-31). A worker that is
 * killed because it hangs has already used up its pause. A longer pause would only help the attacker.
 */
export function createRestarts(clock = () => performance.now()) {
  const slots = new Map<number, { startedAt: number; quick: number }>()
  return {
    started(worker: number): void {
      slots.set(worker, { quick: slots.get(worker)?.quick ?? 0, startedAt: clock() })
    },
    /** Milliseconds until the worker may start again. */
    pause(worker: number): number {
      const slot = slots.get(worker)
      if (!slot) return 0
      const ran = clock() - slot.startedAt
      if (ran >= HEALTHY_MS) slot.quick = 0
      const spacing = slot.quick === 0 ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** (slot.quick - 1))
      slot.quick += 1
      return Math.max(0, spacing - ran)
    },
  }
}
