import { createHash } from 'node:crypto'
import fc from 'fast-check'

/** Samples are the same at every run. `--seed 7` selects another one, `--all` runs every case. */
export const SEED = Number(process.env.TEST_SEED ?? 1)
const ALL = process.env.TEST_ALL === 'true'

fc.configureGlobal({ seed: SEED })

export function runs(some: number, all: number): number {
  return ALL ? all : some
}

export function isChosen(name: string, outOf: number): boolean {
  return ALL || chance(name) % outOf === 0
}

export function few<T>(name: string, from: readonly T[], count: number): readonly T[] {
  if (ALL) return from
  const first = chance(name) % from.length
  return [...from.slice(first), ...from.slice(0, first)].slice(0, count)
}

function chance(name: string): number {
  return createHash('sha256').update(`${SEED} ${name}`).digest().readUInt32LE()
}
