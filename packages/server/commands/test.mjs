// Types, the tests of app/, then e2e/ in a browser on the built product.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser, installBrowser } from './browser.mjs'
import { Refusal, root } from './child.mjs'
import { fileOf } from './node.mjs'

const report = join(root, 'test-results/report.json')
const [pattern = ''] = process.argv.slice(2)
/** @param {string} files */
const matching = (files) => globSync(files, { cwd: root }).filter((file) => file.includes(pattern))
let passed = 0
let failed = 0

const [units, journeys] = [matching('app/**/*.test.ts'), matching('e2e/**/*.spec.ts')]
if (!pattern) count(run([fileOf('typescript', 'bin/tsc'), '--noEmit']) === 0)
if (units.length > 0) count(run(['--test', ...units]) === 0)
if (journeys.length > 0) await runJourneys().catch(failIfRefused)
if (units.length + journeys.length === 0) fail(`No test file has "${pattern}" in its path.`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function runJourneys() {
  const browser = findBrowser() ?? (await installBrowser())
  const playwright = fileOf('@playwright/test', 'cli.js')
  rmSync(report, { force: true })
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(browser && { CHROME_PATH: browser }) }
  // Playwright would look for the pattern in the folders above, too.
  const filters = pattern ? journeys.map((file) => `${RegExp.escape(join(root, file))}$`) : []
  const code = run([playwright, 'test', '--config', 'e2e', '--reporter=list,json', ...filters], env)
  if (!existsSync(report)) return count(code === 0)
  const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'))
  passed += stats.expected + stats.flaky
  failed += stats.unexpected + errors.length
}

/** @param {Error} error */
function failIfRefused(error) {
  if (!(error instanceof Refusal)) throw error
  fail(error.message)
}

/** @param {string} reason */
function fail(reason) {
  console.log(reason)
  failed += 1
}

/** @param {boolean} isRight */
function count(isRight) {
  if (isRight) passed += 1
  else failed += 1
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(args, env) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
  return spawnSync(process.execPath, args, /** @type {const} */ (options)).status
}
