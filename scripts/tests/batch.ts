import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { root } from '../child.mjs'
import type { Tally } from './runner.ts'

/** An event in a process (worker.ts), written as one line of output. */
export interface BatchEvent {
  /** `complete` follows the last file. */
  readonly kind: 'began' | 'passed' | 'failed' | 'skipped' | 'diagnostic' | 'complete'
  readonly file: string
  /** The title of a test, or the text of a diagnostic. */
  readonly text: string
  readonly error: string
}

/** Prefix that separates events from the output of tests. */
export const MARK = '\u001e'

interface TestResult {
  readonly name: string
  readonly verdict: keyof Tally
  readonly error: string
}

/** The result of one test file. */
export interface FileResult {
  readonly file: string
  readonly tests: readonly TestResult[]
  readonly diagnostics: readonly string[]
  readonly milliseconds: number
  /** The output of its tests. */
  readonly output: string
}

interface Options {
  /** Milliseconds per test. */
  readonly patience: number
  /** Regular expression for titles. */
  readonly title?: string | undefined
}

const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  // Tests leave much garbage. A larger nursery collects it once instead of three times.
  '--max-semi-space-size=32',
  fileURLToPath(new URL('worker.ts', import.meta.url)),
]

/**
 * Runs test files in one process of node:test, which loads shared modules once. Calls `done` as each file ends. If
 * the process dies, the running file fails.
 * @returns batches of the files that did not run as a result
 */
export async function runBatch(
  files: readonly string[],
  { patience, title }: Options,
  done: (result: FileResult) => void,
): Promise<string[][]> {
  const filter = title === undefined ? [] : [`--title=${title}`]
  const args = [...FLAGS, `--patience=${patience}`, ...filter, '--', ...files]
  // Inside `node --test`, node:test would ignore `only`.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const results = collectResults(done)
  const read = readOutput(results)
  // node:test cannot stop a test that blocks the event loop.
  const kill = () => child.kill('SIGKILL')
  let timer = setTimeout(kill, patience + 30_000)
  child.stderr.setEncoding('utf8').on('data', results.print)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    clearTimeout(timer)
    timer = setTimeout(kill, patience + 30_000)
    read(text)
  })
  const end = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1))
  })
  clearTimeout(timer)
  const { isComplete, ran } = results.finish(`The process of the tests ended (${end}).`)
  if (isComplete) return []
  // If it died while loading, the file at fault is unknown.
  if (ran.size === 0 && files.length > 1) return files.map((file) => [file])
  if (ran.size === 0) results.blame(`${files[0]}`, `The process of the tests ended (${end}).`)
  const left = files.filter((file) => !ran.has(file) && ran.size > 0)
  return left.length > 0 ? [left] : []
}

function readOutput({ take, print }: { take(event: BatchEvent): void; print(text: string): void }) {
  let buffer = ''
  return (text: string) => {
    buffer += text
    for (let at = buffer.indexOf(MARK); at !== -1; at = buffer.indexOf(MARK)) {
      const end = buffer.indexOf('\n', at)
      if (end === -1) return
      print(buffer.slice(0, at))
      take(JSON.parse(buffer.slice(at + 1, end)) as BatchEvent)
      buffer = buffer.slice(end + 1)
    }
    print(buffer)
    buffer = ''
  }
}

interface Running {
  readonly file: string
  readonly began: number
  readonly tests: TestResult[]
  readonly diagnostics: string[]
  output: string
}

function collectResults(done: (result: FileResult) => void) {
  const ran = new Set<string>()
  let current: Running | undefined
  /** Output from loading the files. */
  let early = ''
  /** The most recently started test. */
  let last = ''
  const close = () => {
    if (current) done({ ...current, milliseconds: performance.now() - current.began })
    current = undefined
  }
  const open = (file: string): Running => {
    if (current?.file === file) return current
    close()
    ran.add(file)
    current = { file, began: performance.now(), tests: [], diagnostics: [], output: early }
    early = ''
    return current
  }
  const blame = (name: string, error: string) =>
    void (current ?? open(name)).tests.push({ name, verdict: 'failed', error })
  let isComplete = false
  return {
    blame(file: string, error: string) {
      blame(file, error)
      close()
    },
    print(text: string) {
      if (current) current.output += text
      else early += text
    },
    take({ kind, file, text, error }: BatchEvent) {
      if (kind === 'complete') {
        isComplete = true
        return
      }
      last = text
      const running = open(file)
      if (kind === 'diagnostic') running.diagnostics.push(text)
      else if (kind !== 'began') running.tests.push(toResult(text, file, kind, error))
    },
    /** Handles the process exit. The reason applies unless the run was complete. */
    finish(reason: string) {
      if (!isComplete && current) blame(last, reason)
      close()
      return { isComplete, ran }
    },
  }
}

/** node:test reports a file without tests as a test named after the file. */
function toResult(name: string, file: string, verdict: keyof Tally, error: string): TestResult {
  const isEmpty = verdict === 'passed' && name === file
  return isEmpty
    ? { name, verdict: 'failed', error: 'This file contains no test.' }
    : { name, verdict, error }
}
