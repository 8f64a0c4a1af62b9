import { WorkerFailed } from './member.ts'

/** More than so many in a minute, and starting again would only hide why. */
const MOST = 5
const MINUTE_MS = 60_000

/** Counts the workers that ended or could not start. */
export function createRestarts() {
  let times: number[] = []
  return {
    /** Throws at the sixth in a minute. */
    note(reason: string): void {
      const now = performance.now()
      times = [...times.filter((time) => now - time < MINUTE_MS), now]
      if (times.length > MOST)
        throw new WorkerFailed(
          `Workers ended ${times.length} times within a minute, the last one by ${reason}.`,
        )
    },
  }
}
