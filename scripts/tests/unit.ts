import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { root } from '../child.mjs'
import type { Failed, Passed } from './print.ts'
import { isFile, printFailure, printFile } from './print.ts'
import type { Tally } from './tally.ts'

const places = ['*.test.ts', '{scripts,identity,server,bench}/**/*.test.ts']
/** What takes longest begins first, so that no core waits for it at the end. */
const LONGEST = [
  'recovery-sequences.test.ts',
  'recovery-enumeration.test.ts',
  'processes.test.ts',
  'main.test.ts',
  'flows.test.ts',
]
/** Milliseconds that one file may take. */
const PATIENCE = 420_000

/**
 * Runs the tests that node:test runs: all but those of the screens and the browser.
 * @param scratch a folder that is gone after the run
 */
export async function runUnitTests(pattern: string, scratch: string): Promise<Tally> {
  // Each file is a process that loads the whole service, and many start it: it is compiled once.
  process.env.NODE_COMPILE_CACHE ??= join(scratch, 'compiled')
  const tally = { passed: 0, failed: 0, skipped: 0 }
  const isLeaf = leafDetector()
  const said = new Map<string, string>()

  const count = (type: string, data: Passed | Failed) => {
    const verdict = judge(type, data, isLeaf(data.nesting))
    if (verdict) tally[verdict] += 1
    if (verdict === 'failed') printFailure(data, said)
  }
  for await (const { type, data } of start(pattern)) {
    switch (type) {
      case 'test:pass':
      case 'test:fail':
        count(type, data)
        break
      case 'test:stdout':
      case 'test:stderr':
        said.set(data.file, `${said.get(data.file) ?? ''}${data.message}`)
        break
      case 'test:summary':
        printFile(data, said)
    }
  }
  return tally
}

function start(pattern: string) {
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  const found = globSync(places, { cwd: root, exclude: ['**/node_modules/**'] })
  const files = found.filter((file) => file.includes(pattern)).sort(longestFirst)
  const options = {
    files: files.map((file) => join(root, file)),
    concurrency: availableParallelism(),
    timeout: PATIENCE,
    signal: stop.signal,
    // One PostgreSQL for all files.
    globalSetupPath: join(root, 'identity/test/postgres-server.ts'),
  }
  return run(options)
}

function longestFirst(a: string, b: string): number {
  const place = (file: string) => {
    const known = LONGEST.indexOf(basename(file))
    return known === -1 ? LONGEST.length : known
  }
  return place(a) - place(b) || a.localeCompare(b, 'en')
}

function judge(type: string, data: Passed | Failed, isLeaf: boolean): keyof Tally | undefined {
  if (data.skip !== undefined || data.todo !== undefined) return 'skipped'
  if (type === 'test:pass') return isFile(data) ? 'failed' : isLeaf ? 'passed' : undefined
  const { failureType } = (data as Failed).details.error as { failureType?: string }
  // The failures inside a suite have been counted; a hook of the suite that failed has not.
  return isLeaf || failureType !== 'subtestsFailed' ? 'failed' : undefined
}

/** Tells tests from the suites around them: a suite is reported after what it contains. */
function leafDetector(): (nesting: number) => boolean {
  const contained: boolean[] = []
  return (nesting) => {
    const isLeaf = contained[nesting + 1] !== true
    contained[nesting + 1] = false
    contained[nesting] = true
    return isLeaf
  }
}
