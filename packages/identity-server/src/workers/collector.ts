import { type Snapshot, sumCounts } from '@ostiary/identity/serving'
import type { Member } from './member.ts'

export function createCollector(serving: () => readonly Member[]) {
  /** Sums of workers that have exited. */
  let counted = Promise.resolve<Snapshot[]>([])
  return {
    async snapshots(): Promise<Snapshot[]> {
      const members = serving()
      await Promise.all(members.map(update))
      return [...(await counted), ...members.flatMap(({ metrics }) => (metrics ? [metrics] : []))]
    },
    /** A falling counter would look like a restart of the server. */
    keep({ metrics }: Member): void {
      // After an upgrade in place the imported file is gone.
      const own = metrics ? [metrics] : []
      counted = counted.then((before) => sum([...before, ...own]).catch(() => before))
    },
  }
}

/** A silent worker keeps its last metrics. */
async function update(member: Member): Promise<void> {
  member.metrics = await member.calls.snapshot().catch(() => member.metrics)
}

async function sum(snapshots: readonly Snapshot[]): Promise<Snapshot[]> {
  return [await sumCounts(snapshots, 1)]
}
