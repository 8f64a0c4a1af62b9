import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '@ostiary/server/commands'
import { root } from '../root.ts'

import { colours, nothing, type Runner, type Tally } from './runner.ts'

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly { status: string; assertionResults: readonly unknown[] }[]
}

export const runWebTests: Runner = async ({ pattern, title }, scratch, print) => {
  const file = join(scratch, 'vitest.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const filters = [...(title === undefined ? [] : ['-t', title]), ...(pattern === '' ? [] : [pattern])]
  // Other lanes can slow a screen down.
  const retry = pattern === '' && title === undefined ? ['--retry=1'] : []
  const args = [vitest, 'run', '--config', 'packages/ui/vitest.config.ts', ...reporters, ...retry, ...filters]
  const { code, stopped } = await runChild(process.execPath, args, { ...process.env, ...colours() }, print)
  if (stopped) process.exit(code)
  return { tally: await readTally(file), exitCode: code }
}

async function readTally(file: string): Promise<Tally> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return nothing
  const report = JSON.parse(text) as Report
  // A file that fails to load has no failed test.
  const broken = report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}
