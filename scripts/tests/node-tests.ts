import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { styleText } from 'node:util'
import { SERVER_VARIABLE, startPostgres } from '@my-app/identity/testing/servers/postgres-server'
import { root } from '../child.mjs'
import type { FileResult } from './batch.ts'
import { runBatch } from './batch.ts'
import type { Ending, Runner, Selection } from './runner.ts'

const UNITS = ['{scripts,app/server,packages,bench}/**/*.test.ts']
const FAULTS = ['e2e/faults/*.test.ts']
/** Fault files in a sampled run. Each takes some seconds of processor time. */
const SOME_FAULTS = 3
/** Files per process. Balances shared loading against an even distribution. */
const BATCH = 8
/** Path parts of slow files, which start first in separate processes. */
const SLOW = [
  'identity-server/test/workers.test.ts',
  'app/server/test/workers.test.ts',
  'backup.test.ts',
  'previous-version.test.ts',
  'transfer.test.ts',
  'single-use.test.ts',
  'enumeration-sequences.test.ts',
  'conformance.test.ts',
  'main.test.ts',
  'start.test.ts',
  'shared-limits.test.ts',
  'protocol/limits.test.ts',
  'mail-limits.test.ts',
  'awkward-input.test.ts',
]
/** Milliseconds per test. */
const PATIENCE = { some: 300_000, all: 3_600_000 }

/** Runs the unit and protocol tests. */
export const runUnitTests: Runner = async (selection, _scratch, print) => {
  const postgres = await startPostgres()
  process.env[SERVER_VARIABLE] = postgres?.url ?? ''
  const files = find(UNITS, selection)
  const slow = SLOW.flatMap((end) => files.filter((file) => file.includes(end)))
  const others = files.filter((file) => !slow.includes(file))
  const batches = [...slow.map((file) => [file]), ...chunks(others, BATCH)]
  try {
    // Two more than cores, because some wait for a lock or another process.
    return await runBatches(batches, availableParallelism() + 2, selection, print)
  } finally {
    await postgres?.stop()
  }
}

/** Runs the fault tests one at a time, because they measure. Without a pattern, runs a sample. */
export const runFaults: Runner = async (selection, _scratch, print) => {
  // Reads TEST_ALL on import.
  const { few } = await import('@my-app/identity/testing/input/sample')
  const files = find(FAULTS, selection)
  const isNarrowed = selection.pattern !== '' || selection.title !== undefined
  const chosen = isNarrowed ? files : few('faults', files, SOME_FAULTS)
  return await runBatches(chunks(chosen, 1), 1, selection, print)
}

function find(places: readonly string[], { pattern }: Selection): string[] {
  const found = globSync(places, { cwd: root, exclude: ['**/node_modules/**'] })
  return found.filter((file) => file.includes(pattern)).sort()
}

function chunks<T>(from: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(from.length / size) }, (_, n) => from.slice(n * size, (n + 1) * size))
}

async function runBatches(
  batches: readonly (readonly string[])[],
  size: number,
  { title, all }: Selection,
  print: (text: string) => void,
): Promise<Ending> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const queue = [...batches]
  const options = { patience: all ? PATIENCE.all : PATIENCE.some, title }
  const show = (result: FileResult) => {
    for (const { verdict } of result.tests) tally[verdict] += 1
    print(fileText(result, title !== undefined))
  }
  const work = async () => {
    for (let batch = queue.shift(); batch; batch = queue.shift())
      queue.unshift(...(await runBatch(batch, options, show)))
  }
  await Promise.all(Array.from({ length: size }, work))
  return { tally, exitCode: 0 }
}

/** Prints a line for the file, its diagnostics and measurements, and after a failure the reason and output. */
function fileText(result: FileResult, withTitles: boolean): string {
  const { file, tests, diagnostics, output } = result
  const failed = tests.filter(({ verdict }) => verdict === 'failed')
  const figures = styleText('dim', `${tests.length} tests, ${Math.round(result.milliseconds)} ms`)
  const listed = withTitles ? tests.filter(({ verdict }) => verdict === 'passed') : []
  const lines = [
    `  ${mark(failed.length === 0)} ${file}  ${figures}`,
    ...listed.map(({ name }) => `  ${mark(true)} ${name}`),
    ...failed.flatMap(({ name, error }) => [
      `  ${mark(false)} ${name}  ${styleText('dim', file)}`,
      indent(error),
    ]),
    ...diagnostics.map(indent),
  ]
  const measured = output.split('\n').filter((line) => line.startsWith('{"id":'))
  if (failed.length > 0 || withTitles) lines.push(indent(output))
  else lines.push(...measured.map(indent))
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

function mark(isGood: boolean): string {
  return isGood ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '       ')
}
