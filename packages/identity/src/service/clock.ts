import type { Log } from '../contract/contract.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Db } from '../storage/db.ts'
import { readClock } from '../storage/installation.ts'

export type Clock = ReturnType<typeof createClock>

export interface ClockParts {
  /** Replaces all other clocks. */
  readonly now?: (() => Date) | undefined
  readonly machineClock?: (() => Date) | undefined
  readonly metrics: Metrics
  readonly log: Log
}

/** A slower answer says too little. */
const LONGEST_MS = 500
const WARN_MS = 5_000
const UNREADY_MS = 60_000

/**
 * All replicas use the database's clock, because none may expire what another one wrote (decision 22). SQLite is on the
 * same machine.
 */
export function createClock({ now, machineClock = () => new Date(), metrics, log }: ClockParts) {
  /** The database's time at the start of the monotonic clock, which no jump of the machine's clock affects. */
  let origin: number | undefined
  const shared = () => (origin === undefined ? machineClock() : new Date(origin + performance.now()))
  const offset = () => machineClock().getTime() - shared().getTime()
  const report = createReport(log)
  const measure = async (db: Db) => {
    if (now) return
    const sentAt = performance.now()
    const time = await readClock(db)
    const received = performance.now()
    if (time === undefined || (origin !== undefined && received - sentAt > LONGEST_MS)) return
    origin = time.getTime() - (sentAt + received) / 2
    report(offset())
  }
  metrics.measure('identity_clock_offset_seconds', () =>
    origin === undefined ? [] : [{ value: offset() / 1000 }],
  )
  return {
    now: now ?? shared,
    measure,
    /** Throws if the machine's clock is more than a minute off. */
    async assertRight(db: Db): Promise<void> {
      if (isRight(offset())) return
      // The monotonic clock stops while the machine is suspended.
      await measure(db)
      if (!isRight(offset())) throw new Error(describe(offset()))
    },
  }
}

function isRight(offset: number): boolean {
  return Math.abs(offset) <= UNREADY_MS
}

function describe(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1000)
  return `the clock of this machine is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} the database's`
}

function createReport(log: Log): (offset: number) => void {
  let lastState: 'right' | 'off' | 'unready' = 'right'
  return (offset) => {
    const state = !isRight(offset) ? 'unready' : Math.abs(offset) > WARN_MS ? 'off' : 'right'
    if (state === lastState) return
    lastState = state
    const fields = { offset_seconds: Math.round(offset / 1000) }
    if (state === 'right') log.info(fields, "the machine's clock agrees with the database's again")
    else if (state === 'off') log.warn(fields, "the machine's clock differs from the database's")
    else log.error(fields, "the machine's clock differs from the database's; not ready")
  }
}
