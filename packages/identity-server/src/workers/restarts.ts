/** Bounds the cost of a worker that exits at once: a start takes a second of processor time. */
const LONGEST_MS = 10_000
/** A worker that ran this long was healthy, and is replaced at once. */
const HEALTHY_MS = 60_000

/**
 * The first replacement starts at once, the next 1, 2, 4, 8 and then 10 seconds after the previous
 * start. Retries forever, because clients may cause the exits (FLT-31).
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
      const lifetime = clock() - slot.startedAt
      if (lifetime >= HEALTHY_MS) slot.quick = 0
      const spacing = slot.quick === 0 ? 0 : Math.min(LONGEST_MS, 1000 * 2 ** (slot.quick - 1))
      slot.quick += 1
      return Math.max(0, spacing - lifetime)
    },
  }
}
