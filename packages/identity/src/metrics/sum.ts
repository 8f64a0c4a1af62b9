import type { Registry } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'
import type { Snapshot } from './metrics.ts'

/** The metrics of several processes as if they were one; the catalogue says how gauges are combined. */
export function sumAll(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots])
}

/** The counters of several processes, without their gauges, which end with a process. */
export async function sumCounts(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const counts = snapshots.map((snapshot) => snapshot.filter(({ type }) => String(type) !== 'gauge'))
  return await sumAll(counts).getMetricsAsJSON()
}
