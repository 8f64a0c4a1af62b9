import type { Tally } from './tally.ts'
import { add, nothing } from './tally.ts'

/** Runs lanes at the same time, and what is in a lane one after the other. */
export function openLanes<Name>(lanes: readonly (readonly Name[])[], run: (name: Name) => Promise<Tally>) {
  let total = nothing
  const runLane = async (lane: readonly Name[]) => {
    for (const name of lane) {
      const tally = await run(name)
      // After the wait: another lane may have added to the total meanwhile.
      total = add(total, tally)
    }
  }
  return {
    /** What has ended so far. */
    total: () => total,
    ended: Promise.all(lanes.map(runLane)),
  }
}
