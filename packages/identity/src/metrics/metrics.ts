import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Catalogue, METRICS } from './catalogue.ts'

/** The metrics of one process, to send to another. */
export type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metrics<C extends Catalogue = typeof METRICS> {
  add<Name extends NamesOf<C, 'counter'>>(name: Name, labels: LabelsOf<C, Name>, count?: number): void
  observe<Name extends NamesOf<C, 'histogram'>>(name: Name, labels: LabelsOf<C, Name>, seconds: number): void
  set<Name extends NamesOf<C, 'gauge'>>(name: Name, labels: LabelsOf<C, Name>, value: number): void
  /** Reads a gauge for each scrape. It has no value if `read` fails. */
  measure(name: NamesOf<C, 'gauge'>, read: () => readonly Sample[] | Promise<readonly Sample[]>): void
  expose(): Promise<{ readonly type: string; readonly text: string }>
  snapshot(): Promise<Snapshot>
}

type NamesOf<C extends Catalogue, Type extends string> = {
  [Name in keyof C]: Type extends C[Name]['type'] ? Name : never
}[keyof C] &
  string

type LabelsOf<C extends Catalogue, Name extends keyof C> = Readonly<
  Partial<Record<C[Name]['labels'][number], string>>
>

/** @param snapshots of all processes of this server, exposed together */
export function createMetrics<C extends Catalogue>(
  catalogue: C,
  snapshots?: () => Promise<readonly Snapshot[]>,
): Metrics<C> {
  const registry = new Registry()
  register(registry, catalogue)
  const gaugeOf = (name: string) => registry.getSingleMetric(name) as Gauge
  return {
    add: (name, labels, count = 1) => (registry.getSingleMetric(name) as Counter).inc(labels, count),
    observe: (name, labels, seconds) =>
      (registry.getSingleMetric(name) as Histogram).observe(labels, seconds),
    set: (name, labels, value) => gaugeOf(name).set(labels, value),
    measure(name, read) {
      const gauge = gaugeOf(name)
      Object.assign(gauge, { collect: () => refill(gauge, read) })
    },
    expose: async () => ({
      type: registry.contentType,
      text: snapshots
        ? await sumAll(await snapshots()).metrics()
        : (await registry.metrics()) + (await ofProcess().metrics()),
    }),
    snapshot: async () => [...(await registry.getMetricsAsJSON()), ...(await ofProcess().getMetricsAsJSON())],
  }
}

function register(registry: Registry, catalogue: Catalogue): void {
  for (const [name, { type, help, labels, buckets, workers }] of Object.entries(catalogue)) {
    const options = { name, help, labelNames: [...labels], registers: [registry] }
    if (type === 'counter') new Counter(options)
    // Without a value, where prom-client sets 0: an alert or a graph must not take a restart for a fall.
    else if (type === 'gauge') new Gauge({ ...options, aggregator: workers ?? 'sum' }).remove({})
    else new Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) })
  }
}

async function refill(gauge: Gauge, read: () => readonly Sample[] | Promise<readonly Sample[]>) {
  const samples = await Promise.resolve()
    .then(read)
    .catch(() => [])
  // `reset` leaves 0, so remove the series: a failed reading must show no value.
  gauge.reset()
  if (samples.length === 0) gauge.remove({})
  for (const { labels = {}, value } of samples) gauge.set(labels, value)
}

let processMetrics: Registry | undefined

/** Memory, processor time, event loop and garbage collection belong to the process. */
function ofProcess(): Registry {
  if (!processMetrics) {
    processMetrics = new Registry()
    collectDefaultMetrics({ register: processMetrics })
    // Sums of the gauges with labels, named like counters.
    for (const counted of ['handles', 'requests', 'resources'])
      processMetrics.removeSingleMetric(`nodejs_active_${counted}_total`)
  }
  return processMetrics
}

/** The catalogue says how gauges combine. */
function sumAll(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots])
}

/** Of processes that have exited. Gauges end with their process. */
export async function sumCounts(snapshots: readonly Snapshot[], exits: number): Promise<Snapshot> {
  const counts = snapshots.map((snapshot) => snapshot.filter(({ type }) => String(type) !== 'gauge'))
  const registry = new Registry()
  new Counter({ name: 'identity_worker_exits_total', help: 'exits', registers: [registry] }).inc(exits)
  return await sumAll([...counts, await registry.getMetricsAsJSON()]).getMetricsAsJSON()
}
