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

/** Another one with each commit, because each takes long. */
export function oneInTurn<T>(name: string, from: readonly T[]): readonly T[] {
  const first = chance(name, process.env.TEST_TURN) % from.length
  return ALL ? from : from.slice(first, first + 1)
}

function chance(name: string, seed: unknown = SEED): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE()
}
