import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runChild } from '../child.mjs'
import { buildWeb } from '../web-build.mjs'
import { provideBrowser } from './browser.ts'
import type { Tally } from './tally.ts'
import { honest, nothing } from './tally.ts'

interface Report {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  readonly errors: readonly unknown[]
}

const config = join(root, 'e2e/playwright.config.ts')

/** Runs the journeys with Playwright, in a browser that it finds or installs. */
export async function runJourneys(pattern: string, scratch: string): Promise<Tally> {
  if (!existsSync(config)) return nothing
  await buildWeb(process.execPath)
  const browser = await provideBrowser()
  const file = join(scratch, 'playwright.json')
  const env = {
    ...process.env,
    ...(browser && { CHROME_PATH: browser }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  }
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  const filter = pattern === '' ? [] : [pattern]
  const args = [playwright, 'test', '--config', config, '--reporter=list,json', ...filter]
  const { code, stopped } = await runChild(process.execPath, args, env)
  if (stopped) process.exit(code)
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
