import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { SERVER_VARIABLE, startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import { Refusal } from '@ostiary/server/commands'
import { root } from '../root.ts'
import { COMPLETE, type TestRecord } from './reporter.ts'
import type { Ending, Runner, Selection } from './runner.ts'

const UNITS = ['{scripts,app/server,packages/!(react|ui|admin|demo),packages/demo/server,bench}/**/*.test.ts']
const FAULTS = ['e2e/faults/*.test.ts']
const RELEASE = ['scripts/release/release.test.ts']
/** Milliseconds: it installs a product twice. */
const RELEASE_PATIENCE = 1_200_000
/** In a sampled run. */
const SOME_FAULTS = 3
/** Each installs or builds whole projects, so a sampled run takes one. */
const PROJECTS = /(identity\/test\/package|new\/new|documents\/readlist)\.test\.ts$/
/** Balances shared loading against an even distribution. */
const BATCH = 16
/** Path parts. These files start first, in separate processes. */
const SLOW = [
  'scripts/new/update.test.ts',
  'package.test.ts',
  'limits/limits.test.ts',
  'identity-server/test/workers.test.ts',
  'packages/server/test/workers.test.ts',
  'new.test.ts',
  'readlist.test.ts',
  'single-use.test.ts',
  'limits/enumeration.test.ts',
  'backup.test.ts',
  'conformance.test.ts',
  'transfer.test.ts',
  'enumeration-sequences.test.ts',
  'main.test.ts',
  'start.test.ts',
  'shared-limits.test.ts',
  'mail-limits.test.ts',
  'awkward-input.test.ts',
  'proofs-hold.test.ts',
]

const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // Tests leave much garbage: one collection instead of three.
  '--max-semi-space-size=32',
  `--import=${new URL('origins.ts', import.meta.url)}`,
  '--test',
  '--test-isolation=none',
  // Open handles do not keep the process alive.
  '--test-force-exit',
  `--test-reporter=${new URL('reporter.ts', import.meta.url)}`,
]

export const runUnitTests: Runner = async (selection, scratch, print) => {
  const foundFiles = find(UNITS, selection).filter((file) => !RELEASE.includes(file))
  const postgres = await startPostgres()
  process.env[SERVER_VARIABLE] = postgres?.url ?? ''
  const files = await withoutMostProjects(foundFiles, selection, print)
  const slow = SLOW.flatMap((end) => files.filter((file) => file.includes(end)))
  const others = files.filter((file) => !slow.includes(file))
  const batches = [...slow.map((file) => [file]), ...chunks(others, BATCH)]
  try {
    // Some wait for a lock or another process.
    return await runBatches(batches, availableParallelism() + 1, optionsFrom(selection, scratch, print))
  } finally {
    await postgres?.stop()
  }
}

async function withoutMostProjects(
  files: readonly string[],
  selection: Selection,
  print: (text: string) => void,
): Promise<readonly string[]> {
  if (selection.all || isNarrowed(selection)) return files
  const { oneInTurn } = await sampling()
  const projects = files.filter((file) => PROJECTS.test(file))
  const chosen = oneInTurn('projects', projects)
  const otherProjects = projects.filter((file) => !chosen.includes(file))
  if (otherProjects.length > 0)
    print(`  ${styleText('dim', `--all also runs ${otherProjects.join(' and ')}`)}\n`)
  return files.filter((file) => !otherProjects.includes(file))
}

function isNarrowed({ pattern, title }: Selection): boolean {
  return pattern !== '' || title !== undefined
}

/** Reads the options of this run when imported. */
async function sampling() {
  return await import('@ostiary/identity/testing/input/sample')
}

/** One at a time, because they measure. Without a pattern, a sample. */
export const runFaults: Runner = async (selection, scratch, print) => {
  const { few } = await sampling()
  const files = find(FAULTS, selection)
  const chosen = isNarrowed(selection) ? files : few('faults', files, SOME_FAULTS)
  return await runBatches(chunks(chosen, 1), 1, optionsFrom(selection, scratch, print))
}

export const runRelease: Runner = async (selection, scratch, print) => {
  const options = { ...optionsFrom(selection, scratch, print), patience: RELEASE_PATIENCE }
  return await runBatches([find(RELEASE, selection)], 1, options)
}

function find(places: readonly string[], { pattern }: Selection): string[] {
  const paths = globSync(places, { cwd: root, exclude: ['**/node_modules/**'] })
  const files = paths.filter((file) => file.includes(pattern)).sort()
  if (files.length === 0) throw new Refusal(`No test file's path contains ${pattern}.`)
  return files
}

function chunks<T>(from: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(from.length / size) }, (_, n) => from.slice(n * size, (n + 1) * size))
}

interface Options {
  readonly title: string | undefined
  /** Per test. */
  readonly patience: number
  /** For reports. */
  readonly scratch: string
  print(text: string): void
}

function optionsFrom({ title, all }: Selection, scratch: string, print: Options['print']): Options {
  return { title, patience: all ? 3_600_000 : 300_000, scratch, print }
}

async function runBatches(
  batches: readonly (readonly string[])[],
  size: number,
  options: Options,
): Promise<Ending> {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const queue = [...batches]
  const work = async () => {
    for (let batch = queue.shift(); batch; batch = queue.shift()) {
      const { records, output } = await runFiles(batch, options)
      for (const { kind } of records) if (kind !== 'diagnostic') tally[kind] += 1
      options.print(textOf(records, output, options.title !== undefined))
    }
  }
  await Promise.all(Array.from({ length: size }, work))
  return { tally, exitCode: 0 }
}

/** Shared modules load once. A process that ends early is a failed test. */
export async function runFiles(
  files: readonly string[],
  { scratch, title, patience }: Pick<Options, 'scratch' | 'title' | 'patience'>,
): Promise<{ records: readonly TestRecord[]; output: string }> {
  const report = join(scratch, `${randomUUID()}.jsonl`)
  const args = [
    ...FLAGS,
    `--test-timeout=${patience}`,
    `--test-reporter-destination=${report}`,
    ...(title === undefined ? [] : [`--test-name-pattern=${title}`]),
    ...files,
  ]
  // node:test would ignore these flags.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  // node:test cannot stop a blocked event loop.
  const limits = { timeout: 2 * patience, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, args, { ...limits, cwd: root, env })
  child.stdin.end()
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code, signal] = await once(child, 'close')
  const lines = (await readFile(report, 'utf8').catch(() => '')).split('\n')
  const records = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as TestRecord)
  if (lines.at(-1) === COMPLETE) return { records: records.map(asFailedIfEmpty), output }
  const error = `The process of the tests ended (${signal ?? code}).`
  const ended = {
    kind: 'failed',
    file: files.join(' '),
    text: 'runs to its end',
    error,
    milliseconds: 0,
  } as const
  return { records: [...records, ended], output }
}

/** node:test reports a file without tests as a test named after the file. */
function asFailedIfEmpty(record: TestRecord): TestRecord {
  const isEmpty = record.kind === 'passed' && record.text === record.file
  return isEmpty ? { ...record, kind: 'failed', error: 'This file contains no test.' } : record
}

/** A line per file; after a failure the reason and all output. */
function textOf(records: readonly TestRecord[], output: string, withTitles: boolean): string {
  const files = Map.groupBy(records, ({ file }) => file)
  const isFailure = records.some(({ kind }) => kind === 'failed')
  const measured = output.split('\n').filter((line) => line.startsWith('{"id":'))
  const lines = [
    ...[...files].flatMap(([file, own]) => fileLines(file, own, withTitles)),
    ...(isFailure || withTitles ? [indent(output)] : measured.map(indent)),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

function fileLines(file: string, records: readonly TestRecord[], withTitles: boolean): string[] {
  const recordsOf = (recordKind: TestRecord['kind']) => records.filter(({ kind }) => kind === recordKind)
  const diagnostics = recordsOf('diagnostic')
  const milliseconds = records.reduce((sum, record) => sum + record.milliseconds, 0)
  const figures = `${records.length - diagnostics.length} tests, ${Math.round(milliseconds)} ms`
  return [
    `  ${resultMark(recordsOf('failed').length === 0)} ${file}  ${styleText('dim', figures)}`,
    ...(withTitles ? recordsOf('passed').map(({ text }) => `  ${resultMark(true)} ${text}`) : []),
    ...recordsOf('failed').flatMap(({ text, error }) => [
      `  ${resultMark(false)} ${text}  ${styleText('dim', file)}`,
      indent(error),
    ]),
    ...diagnostics.map(({ text }) => indent(text)),
  ]
}

function resultMark(isGood: boolean): string {
  return isGood ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, '       ')
}
