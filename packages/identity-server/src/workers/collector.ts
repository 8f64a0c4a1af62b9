import type { Snapshot } from '@my-app/identity/serving'
import type { Member } from './member.ts'

/** Collects the metrics of the workers. */
export function createCollector(serving: () => readonly Member[]) {
  /** Of workers that have ended. */
  let counted = Promise.resolve<Snapshot[]>([])
  return {
    async snapshots(): Promise<Snapshot[]> {
      const members = serving()
      await Promise.all(members.map(update))
      return [...(await counted), ...members.flatMap(({ metrics }) => (metrics ? [metrics] : []))]
    },
    /** Sums must not fall when a worker ends: they would look like a restart of everything. */
    keep({ metrics }: Member): void {
      // The file that adds is gone after an upgrade in place. That must not end the primary.
      if (metrics) counted = counted.then((before) => sum([...before, metrics]).catch(() => before))
    },
  }
}

/** A worker that does not answer keeps its last ones. */
async function update(member: Member): Promise<void> {
  member.metrics = await member.calls.snapshot().catch(() => member.metrics)
}

async function sum(snapshots: readonly Snapshot[]): Promise<Snapshot[]> {
  // Loaded only now: the primary needs little memory.
  const { sumCounts } = await import('@my-app/identity/metrics')
  return [await sumCounts(snapshots)]
}
