import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runPlaywright } from './playwright.ts'
import type { Runner, Tally } from './tally.ts'
import { nothing } from './tally.ts'

interface Report {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  readonly errors: readonly unknown[]
}

/** Runs the journeys in a real browser. */
export const runJourneys: Runner = async (pattern, scratch, print) => {
  const file = join(scratch, 'playwright.json')
  const args = ['--reporter=list,json', ...(pattern === '' ? [] : [pattern])]
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const exitCode = await runPlaywright('playwright.config.ts', args, { env, print })
  return { tally: await readTally(file, print), exitCode }
}

async function readTally(file: string, print: (text: string) => void): Promise<Tally> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return nothing
  const { stats, errors } = JSON.parse(text) as Report
  if (stats.flaky > 0) print(`${stats.flaky} journeys passed only when they were tried again.\n`)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}
