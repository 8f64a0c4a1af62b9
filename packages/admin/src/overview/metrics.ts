interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type Metrics = ReadonlyMap<string, readonly Sample[]>

export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)/i.exec(line) ?? []
    if (name === undefined) continue
    const samples = metrics.get(name) ?? []
    samples.push({ labels: parseLabels(labels), value: Number(value) })
    metrics.set(name, samples)
  }
  return metrics
}

/** The sum over all labels. Undefined if this server lacks the metric. */
export function total(metrics: Metrics, name: string): number | undefined {
  return metrics.get(name)?.reduce((sum, { value }) => sum + value, 0)
}

export function byLabel(metrics: Metrics, name: string, label: string): (readonly [string, number])[] {
  const samples = metrics.get(name) ?? []
  const pairs = samples.map(({ labels, value }) => [labels[label] ?? '', value] as const)
  return pairs.filter(([, value]) => value > 0).sort(([, a], [, b]) => b - a)
}

function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  )
}
