import { createHash } from 'node:crypto'
import fc from 'fast-check'

/**
 * What is too much for every run is tested in part, in the same part at every run. `npm test -- --seed 7` takes another
 * part, `npm test -- --all` leaves nothing out.
 */
export const SEED = Number(process.env.TEST_SEED ?? 1)
const ALL = process.env.TEST_ALL === 'true'

fc.configureGlobal({ seed: SEED })

/** How often to try what chance decides, and other numbers that depend on how much is tested. */
export function runs(some: number, all: number): number {
  return ALL ? all : some
}

/** Whether this run tests a case of which each run tests one in `outOf`. */
export function isChosen(name: string, outOf: number): boolean {
  return ALL || chance(name) % outOf === 0
}

/** So many neighbours out of a list, for the case of this name. */
export function few<T>(name: string, from: readonly T[], count: number): readonly T[] {
  if (ALL) return from
  const first = chance(name) % from.length
  return [...from.slice(first), ...from.slice(0, first)].slice(0, count)
}

function chance(name: string): number {
  return createHash('sha256').update(`${SEED} ${name}`).digest().readUInt32LE()
}
