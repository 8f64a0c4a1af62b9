import type { Connection } from './connection.ts'
import { openConnection } from './connection.ts'

/** What one visitor repeats; rejects if a response is not the expected one. */
export type Work = (connection: Connection) => Promise<void>

export interface Load {
  /** Rounds per second. */
  readonly rate: number
  /** Milliseconds: the median and the 99th percentile of the rounds. */
  readonly p50: number
  readonly p99: number
}

export interface LoadOptions {
  readonly port: number
  /**
   * Concurrent visitors; each waits for its response before it continues. Each is of a network of its own, because the
   * requests of one are limited.
   */
  readonly visitors: number
  readonly seconds: number
}

/** Lets the visitors work, first for a warm-up that is not measured. */
export async function measureLoad({ port, visitors, seconds }: LoadOptions, work: Work): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: visitors }, (_, visitor) => openConnection(port, `127.${visitor + 1}.0.1`)),
  )
  try {
    await workFor(connections, seconds / 4, work)
    const started = performance.now()
    const durations = await workFor(connections, seconds, work)
    const elapsed = (performance.now() - started) / 1000
    const sorted = Float64Array.from(durations).sort()
    return { rate: durations.length / elapsed, p50: at(sorted, 0.5), p99: at(sorted, 0.99) }
  } finally {
    for (const connection of connections) connection.close()
  }
}

async function workFor(connections: readonly Connection[], seconds: number, work: Work): Promise<number[]> {
  const durations: number[] = []
  const end = performance.now() + seconds * 1000
  const visit = async (connection: Connection) => {
    for (let started = performance.now(); started < end; ) {
      await work(connection)
      const now = performance.now()
      durations.push(now - started)
      started = now
    }
  }
  await Promise.all(connections.map(visit))
  return durations
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  return at(Float64Array.from(values).sort(), share)
}

function at(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}
