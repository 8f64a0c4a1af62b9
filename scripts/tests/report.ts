import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { Tally } from './tally.ts'

type Done = EventData.TestPass | EventData.TestFail

/** What a process of the pool tells about the file that it runs. */
export type Report = Verdict | End

/** A test has ended, or something around tests has failed. */
export interface Verdict {
  readonly verdict: keyof Tally
  readonly name: string
  readonly line: number | undefined
  readonly error?: string
}

/** Everything in the file has ended. */
interface End {
  readonly end: { readonly milliseconds: number }
}

/** The reporter of node:test in a process of the pool (worker.ts), where each file is a suite. */
// biome-ignore lint/style/noDefaultExport: this is where node:test looks for the reporter
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const isLeaf = leafDetector()
  const strays = collectStrays()
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const leaf = isLeaf(data.nesting)
    strays.delete(errorOf(data)?.cause)
    const verdict = data.nesting === 0 ? judgeFile(data, leaf) : judge(data, leaf)
    if (verdict) send({ verdict, name: data.name, line: data.line, ...explain(data) })
    if (data.nesting === 0) await sendEnd(data, strays)
  }
  yield ''
}

const STRAY = 'an error that no test awaited'

/** Errors that nothing has caught. That of a running test is its failure too; node:test only warns of the others. */
function collectStrays(): Set<unknown> {
  const strays = new Set<unknown>()
  process.on('uncaughtExceptionMonitor', (error) => strays.add(error))
  process.on('unhandledRejection', (reason) => strays.add(reason))
  return strays
}

function judge(data: Done, isLeaf: boolean): keyof Tally | undefined {
  if (data.skip !== undefined || data.todo !== undefined) return 'skipped'
  if (!('error' in data.details)) return isLeaf ? 'passed' : undefined
  // The failures inside a suite have been counted; a hook of the suite that failed has not.
  return isLeaf || failureOf(data) !== 'subtestsFailed' ? 'failed' : undefined
}

/** A file without a test has failed, as has one that could not be loaded. */
function judgeFile(data: Done, isEmpty: boolean): 'failed' | undefined {
  if ('error' in data.details) return failureOf(data) === 'subtestsFailed' ? undefined : 'failed'
  return isEmpty ? 'failed' : undefined
}

function failureOf({ details }: Done): string | undefined {
  const { error } = details as { error?: { failureType?: string } }
  return error?.failureType
}

function errorOf({ details }: Done): Error | undefined {
  return 'error' in details ? details.error : undefined
}

function explain({ details, nesting }: Done): { error?: string } {
  if (!('error' in details)) return nesting === 0 ? { error: 'This file contains no test.' } : {}
  const error = details.error.cause ?? details.error
  return { error: typeof error === 'string' ? error : inspect(error) }
}

/** What the tests have printed arrives first. */
async function sendEnd({ details }: Done, strays: Set<unknown>): Promise<void> {
  for (const error of strays) send({ verdict: 'failed', name: STRAY, line: undefined, error: inspect(error) })
  strays.clear()
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise((resolve) => stream.write('', resolve))
  }
  send({ end: { milliseconds: details.duration_ms } })
}

function send(report: Report): void {
  process.send?.(report)
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
