import { createHash } from 'node:crypto'
import fc from 'fast-check'

/**
 * Expensive cases are sampled, identically at every run. `npm test -- --seed 7` selects another sample, and
 * `npm test -- --all` runs all.
 */
export const SEED = Number(process.env.TEST_SEED ?? 1)
const ALL = process.env.TEST_ALL === 'true'

fc.configureGlobal({ seed: SEED })

/** Returns a count that depends on how much is tested. */
export function runs(some: number, all: number): number {
  return ALL ? all : some
}

/** Returns whether this run includes a case. Each run includes one in `outOf`. */
export function isChosen(name: string, outOf: number): boolean {
  return ALL || chance(name) % outOf === 0
}

/** Returns `count` adjacent items of a list, selected by the name of the case. */
export function few<T>(name: string, from: readonly T[], count: number): readonly T[] {
  if (ALL) return from
  const first = chance(name) % from.length
  return [...from.slice(first), ...from.slice(0, first)].slice(0, count)
}

function chance(name: string): number {
  return createHash('sha256').update(`${SEED} ${name}`).digest().readUInt32LE()
}
