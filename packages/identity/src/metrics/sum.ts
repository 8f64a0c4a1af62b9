import { AggregatorRegistry, Counter, Registry } from 'prom-client'

/** The metrics of one process, to send to another. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** The catalogue says how gauges combine. */
export function sumAll(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots])
}

/** Of processes that have exited. Gauges end with their process. */
export async function sumCounts(snapshots: readonly Snapshot[], exits: number): Promise<Snapshot> {
  const counts = snapshots.map((snapshot) => snapshot.filter(({ type }) => String(type) !== 'gauge'))
  const registry = new Registry()
  new Counter({ name: 'identity_worker_exits_total', help: 'exits', registers: [registry] }).inc(exits)
  return await sumAll([...counts, await registry.getMetricsAsJSON()]).getMetricsAsJSON()
}
