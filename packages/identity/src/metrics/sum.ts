import type { Registry } from 'prom-client'
import { AggregatorRegistry } from 'prom-client'

/** The metrics of one process, to send to another. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The catalogue says how gauges combine. */
export function sumAll(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots])
}

/** Gauges end with their process. */
export async function sumCounts(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const counts = snapshots.map((snapshot) => snapshot.filter(({ type }) => String(type) !== 'gauge'))
  return await sumAll(counts).getMetricsAsJSON()
}
