import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export type Work = (connection: Connection) => Promise<void>

export interface Load {
  /** Rounds per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p99: number
}

/** A client may sign up fifty times. */
const ROUNDS_PER_NETWORK = 40

/**
 * After a warm-up. Each visitor has a network and, if it `moves`, changes it, because limits count
 * by client.
 */
export async function measureLoad(
  { port, visitors, seconds }: Readonly<Record<'port' | 'visitors' | 'seconds', number>>,
  work: Work,
  moves = false,
): Promise<Load> {
  const targets = await Promise.all(Array.from({ length: visitors }, (_, n) => openTarget(port, n + 1)))
  try {
    await workFor(targets, seconds / 4, work, moves)
    const started = performance.now()
    const durations = await workFor(targets, seconds, work, moves)
    const elapsed = (performance.now() - started) / 1000
    return { rate: durations.length / elapsed, p99: percentile(durations, 0.99) }
  } finally {
    for (const { connection } of targets) connection.close()
  }
}

interface Target {
  connection: Connection
  rounds: number
  move(): Promise<void>
}

async function openTarget(port: number, visitor: number): Promise<Target> {
  const open = () => {
    networks += 1
    return openConnection(port, `127.${visitor}.${networks % 256}.1`)
  }
  const target: Target = {
    connection: await open(),
    rounds: 0,
    async move() {
      target.connection.close()
      target.connection = await open()
      target.rounds = 0
    },
  }
  return target
}

let networks = 0

async function workFor(
  targets: readonly Target[],
  seconds: number,
  work: Work,
  moves: boolean,
): Promise<number[]> {
  const durations: number[] = []
  const end = performance.now() + seconds * 1000
  const visitTarget = async (target: Target) => {
    for (let started = performance.now(); started < end; ) {
      await work(target.connection)
      const now = performance.now()
      durations.push(now - started)
      started = now
      target.rounds += 1
      if (moves && target.rounds === ROUNDS_PER_NETWORK) await target.move()
    }
  }
  await Promise.all(targets.map(visitTarget))
  return durations
}

/** Starts `rate` runs a second, whether earlier ones have ended or not. A failed run is ignored. */
export async function startSteadily(
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  run: (n: number) => Promise<void>,
): Promise<void> {
  const pendingRuns = new Set<Promise<void>>()
  let startedCount = 0
  for (const start = performance.now(); startedCount < rate * seconds; await delay(TICK_MS)) {
    const due = Math.min(rate * seconds, ((performance.now() - start) / 1000) * rate)
    for (; startedCount < due; startedCount += 1) {
      const one = run(startedCount)
        .catch(() => {})
        .finally(() => pendingRuns.delete(one))
      pendingRuns.add(one)
    }
  }
  await Promise.race([Promise.all(pendingRuns), delay(LONGEST_WAIT_MS, undefined, { ref: false })])
}

const TICK_MS = 10
const LONGEST_WAIT_MS = 20_000

/** As an attacker would: reconnects after a failure. */
export async function attack(
  port: number,
  address: string,
  isOver: () => boolean,
  work: (connection: Connection) => Promise<unknown>,
): Promise<void> {
  while (!isOver()) {
    const connection = await openConnection(port, address).catch(() => undefined)
    try {
      while (connection && !isOver()) await work(connection)
    } catch {}
    connection?.close()
    await delay(20)
  }
}

/** @param pause milliseconds between the end of one run and the next */
export async function timesOf(
  seconds: number,
  pause: number,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const durations: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await delay(pause)) {
    const started = performance.now()
    await work()
    durations.push(performance.now() - started)
  }
  return durations
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** @param share 0.99 for the 99th percentile */
export function percentile(values: readonly number[], share: number): number {
  return Float64Array.from(values).sort()[Math.floor(values.length * share)] ?? 0
}
