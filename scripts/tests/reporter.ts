import { join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { root } from '../root.ts'
import type { Tally } from './runner.ts'

/** Or a line that the test reports. */
export interface TestRecord {
  readonly kind: keyof Tally | 'diagnostic'
  readonly file: string
  /** The title, or the line. */
  readonly text: string
  readonly error: string
  readonly milliseconds: number
}

/** Missing if the process ended early. */
export const COMPLETE = 'complete'

/** At the end of node:test's report. */
const FIGURE = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/

/** One line of JSON per record, for node-tests.ts. */
// biome-ignore lint/style/noDefaultExport: node:test expects a default export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failedTests = new Set<string>()
  const write = (file: string, record: Partial<TestRecord>) => {
    if (record.kind === 'failed') failedTests.add(file)
    return `${JSON.stringify({ file, error: '', milliseconds: 0, ...record })}\n`
  }
  let file = ''
  for await (const event of events) {
    if (event.type === 'test:start' && event.data.nesting === 0) file = await fileOf(event.data)
    const record = toRecord(event)
    if (record) yield write(file, record)
  }
  // node:test ignores an error after the first test of a file.
  for (const file of process.argv.slice(1).filter((file) => !failedTests.has(file))) {
    const error = await import(join(root, file)).then(() => undefined, inspect)
    if (error !== undefined) yield write(file, { kind: 'failed', text: 'loads', error })
  }
  yield COMPLETE
}

async function fileOf({ name, file = '' }: { name: string; file?: string }): Promise<string> {
  // The hook there needs node:test, which has not started.
  const { origins } = await import('./origins.ts')
  return relative(root, origins.get(name)?.shift() ?? file)
}

function toRecord(event: TestEvent): Partial<TestRecord> | undefined {
  if (event.type === 'test:diagnostic') return fromLine(event.data.message)
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined
  const { name: text, nesting, skip, todo, details } = event.data
  const milliseconds = nesting === 0 ? details.duration_ms : 0
  if (!('error' in details))
    return { kind: skip === undefined && todo === undefined ? 'passed' : 'skipped', text, milliseconds }
  const { error } = details
  // Each failed subtest has a record.
  if ('failureType' in error && error.failureType === 'subtestsFailed') return undefined
  const reason = inspect(error.cause instanceof Error ? error.cause : error)
  return { kind: 'failed', text, error: reason, milliseconds }
}

function fromLine(text: string): Partial<TestRecord> | undefined {
  if (FIGURE.test(text)) return undefined
  // node:test blames no test for an error after its end.
  return text.startsWith('Error: ')
    ? { kind: 'failed', text: 'after a test', error: text }
    : { kind: 'diagnostic', text }
}
