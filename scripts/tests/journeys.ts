import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../child.mjs'
import { runPlaywright } from './playwright.ts'
import type { Tally } from './tally.ts'
import { honest, nothing } from './tally.ts'

interface Report {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  readonly errors: readonly unknown[]
}

/** Runs the journeys in a real browser. */
export async function runJourneys(pattern: string, scratch: string): Promise<Tally> {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) return nothing
  const file = join(scratch, 'playwright.json')
  const args = ['--reporter=list,json', ...(pattern === '' ? [] : [pattern])]
  const code = await runPlaywright('playwright.config.ts', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
  return honest('e2e', await readTally(file), code)
}

async function readTally(file: string): Promise<Tally> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return nothing
  const { stats, errors } = JSON.parse(text) as Report
  if (stats.flaky > 0) console.log(`${stats.flaky} journeys passed only when they were tried again.`)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}
