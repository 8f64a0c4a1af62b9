/** The queue holds as many hashes as are computed in this time. */
const WORK_MS = 1_000

/** Measures how many hashes are computed in a second. Without a queue nothing is measured, and there is no bound. */
export function createHashPace(atOnce: number, clock: () => number) {
  let since: number | undefined
  let ended = 0
  let places = Number.POSITIVE_INFINITY
  return {
    places: () => places,
    /** A hash ended. */
    finished(othersWait: boolean): void {
      const now = clock()
      if (!othersWait) {
        since = undefined
        places = Number.POSITIVE_INFINITY
        return
      }
      if (since === undefined) {
        since = now
        ended = 0
      }
      ended += 1
      if (now - since < WORK_MS / 4) return
      // Never so few that a slot stays empty between two hashes.
      places = Math.max(4 * atOnce, (ended * WORK_MS) / (now - since))
      since = now
      ended = 0
    },
  }
}
