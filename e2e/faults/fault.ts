import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '@ostiary/identity/testing/input/sample'
import { findDamage } from '@ostiary/identity/testing/kit/damage'
import { percentile } from '../../bench/load.ts'
import { type Answered, stopLoads } from './load.ts'

export interface Figures {
  /** And those that the database lacks or has twice. */
  readonly acked?: number
  readonly lost?: number
  readonly duplicated?: number
  readonly errors5xx?: number
  /** Of successful requests, in milliseconds. */
  readonly p50?: number
  readonly p99?: number
  /** From the end of the fault to the first success. */
  readonly recoveryMs?: number
  readonly rssMb?: number
  readonly loopMaxMs?: number
}

/** Asserted with `--all`, which has the machine to itself; other runs print the time. */
export function atMost(limit: number): number {
  return runs(Number.POSITIVE_INFINITY, limit)
}

export const NO_POSTGRES = 'there is no PostgreSQL on this machine'

class Obstacle extends Error {}

/** A test is skipped without the capability that it needs. */
export function need<T>(found: T | undefined, obstacle: string): T {
  if (found === undefined) throw new Obstacle(obstacle)
  return found
}

export type Report = (figures: Figures) => void

/** Milliseconds. */
const PATIENCE = runs(400_000, 900_000)

/**
 * On the built product. Prints its figures as JSON, even if it fails. @param title starts with ids
 * from docs/threats.md
 */
export function fault(title: string, run: (report: Report) => Promise<void>): void {
  void test(title, { timeout: PATIENCE }, async (t) => {
    let figures: Figures = {}
    let pass = false
    try {
      await run((measured) => {
        figures = { ...figures, ...measured }
      })
      pass = true
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error
      t.skip(error.message)
    } finally {
      await stopLoads()
      if (pass || Object.keys(figures).length > 0) print(title, figures, pass)
    }
  })
}

function print(title: string, figures: Figures, pass: boolean): void {
  const rounded = Object.entries(figures).map(([name, value]) => [name, Math.round(value * 10) / 10])
  console.log(JSON.stringify({ id: /^[A-Z]+-\d+/.exec(title)?.[0], ...Object.fromEntries(rounded), pass }))
}

export function figuresOf(answers: readonly Answered[]): Figures {
  const good = answers.filter(isGood).map(({ ms }) => ms)
  return {
    acked: good.length,
    errors5xx: answers.filter(({ status }) => status >= 500).length,
    p50: percentile(good, 0.5),
    p99: percentile(good, 0.99),
  }
}

/** Milliseconds from `since`. */
export function recoveryAfter(since: number, answers: readonly Answered[]): number {
  const [first] = answers.filter((answer) => isGood(answer) && answer.at > since).map(({ at }) => at)
  return first === undefined ? Number.POSITIVE_INFINITY : first - since
}

export function isGood({ status }: Answered): boolean {
  return status === 200
}

export function assertStatuses(answers: readonly Answered[], ...expected: readonly number[]): void {
  assert.ok(answers.length > 0, 'nothing was answered')
  const others = new Set(answers.map(({ status }) => status)).difference(new Set(expected))
  assert.deepEqual([...others], [])
}

/** Nothing confirmed is lost, duplicated or incomplete. Call it while no server runs. */
export async function assertWhole(dsn: string, confirmed: readonly string[], report: Report): Promise<void> {
  const { lost, duplicated, orphans } = await findDamage(dsn, confirmed)
  report({ acked: confirmed.length, lost: lost.length, duplicated: duplicated.length })
  assert.deepEqual({ lost, duplicated, orphans }, { lost: [], duplicated: [], orphans: [] })
}
