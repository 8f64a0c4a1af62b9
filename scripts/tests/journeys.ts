import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { buildAll, findBrowser, installBrowser, Refusal, runChild } from '@ostiary/server/commands'
import { root } from '../root.ts'
import { colours, nothing, type Runner, type Tally } from './runner.ts'

interface Report {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  readonly errors: readonly unknown[]
}

export const runJourneys: Runner = async ({ pattern, title }, scratch, print) => {
  const file = join(scratch, 'playwright.json')
  // Playwright would look for the pattern in the folders above, too.
  const files = globSync('e2e/journeys/**/*.spec.ts', { cwd: root }).filter((path) => path.includes(pattern))
  if (files.length === 0) throw new Refusal(`No journey has "${pattern}" in its path.`)
  const chosen = pattern === '' ? [] : files.map((path) => `${RegExp.escape(join(root, path))}$`)
  const filters = [...(title === undefined ? [] : ['--grep', title]), ...chosen]
  // Only in a full run do other lanes slow a browser down.
  if (filters.length > 0) filters.push('--retries=0')
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const exitCode = await runPlaywright('playwright.config.ts', ['--reporter=list,json', ...filters], {
    env,
    print,
  })
  return { tally: await readTally(file, print), exitCode }
}

/** Undefined for Playwright's own. */
export async function provideBrowser(): Promise<string | undefined> {
  return provide(findBrowser, 'chromium-headless-shell', 'fonts-liberation') ?? (await installBrowser())
}

interface Options {
  readonly env?: NodeJS.ProcessEnv
  /** Instead of the terminal. */
  readonly print?: (text: string) => void
}

/** With one of e2e's configurations on current builds. Ends this process if stopped. */
export async function runPlaywright(
  config: string,
  args: readonly string[],
  { env = {}, print }: Options = {},
): Promise<number> {
  await buildAll(process.execPath)
  const browser = await provideBrowser()
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  const { code, stopped } = await runChild(
    process.execPath,
    [playwright, 'test', '--config', join(root, 'e2e', config), ...args],
    { ...process.env, ...colours(), ...(browser && { CHROME_PATH: browser }), ...env },
    print,
  )
  if (stopped) process.exit(code)
  return code
}

async function readTally(file: string, print: (text: string) => void): Promise<Tally> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return nothing
  const { stats, errors } = JSON.parse(text) as Report
  if (stats.flaky > 0) print(`${stats.flaky} journeys passed only on the second try.\n`)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}
