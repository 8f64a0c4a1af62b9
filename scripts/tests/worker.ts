// A process of batch.ts. Runs test files and writes events to its output.
import { relative } from 'node:path'
import { beforeEach, run } from 'node:test'
import { inspect, parseArgs } from 'node:util'
import '@my-app/identity/testing/input/sample'
import { root } from '../child.mjs'
import type { BatchEvent } from './batch.ts'
import { MARK } from './batch.ts'

const { values, positionals: files } = parseArgs({
  options: { patience: { type: 'string' }, title: { type: 'string' } },
  allowPositionals: true,
})

let current = { file: '', text: '' }

/** The test's file. If a kit called node:test, `file` is the kit, so the hook below records the real one. */
const locate = (text: string, file = '') => {
  const own = relative(root, file)
  current = { file: [own, text].find((path) => files.includes(path)) ?? current.file, text }
}

const send = (event: Partial<BatchEvent>) =>
  process.stdout.write(`${MARK}${JSON.stringify({ error: '', ...current, ...event })}\n`)

// All files are loaded when the first test begins. node:test ends once the process is idle. After an early
// `beforeExit` it waits for its tests, but not for handles that they leave open.
let isEnding = false
const endWithTests = () => {
  if (!isEnding) process.emit('beforeExit', 0)
  isEnding = true
}
// Without a test of this title, handles opened on import would keep the process alive.
if (values.title !== undefined) setTimeout(endWithTests, 60_000).unref()

run({
  files,
  isolation: 'none',
  setup() {
    beforeEach((t) => {
      locate(t.name, 'filePath' in t ? String(t.filePath) : '')
      send({ kind: 'began' })
      endWithTests()
    })
  },
  timeout: Number(values.patience),
  ...(values.title !== undefined && { testNamePatterns: new RegExp(values.title) }),
})
  .on('test:pass', ({ name, file, skip, todo }) => {
    locate(name, file)
    send({ kind: skip === undefined && todo === undefined ? 'passed' : 'skipped' })
    endWithTests()
  })
  .on('test:fail', ({ name, file, details: { error } }) => {
    locate(name, file)
    endWithTests()
    // Each failed subtest has its own event.
    if ('failureType' in error && error.failureType === 'subtestsFailed') return
    send({ kind: 'failed', error: inspect(error.cause instanceof Error ? error.cause : error) })
  })
  .on('test:diagnostic', ({ message, file }) => {
    if (file !== undefined) send({ kind: 'diagnostic', text: message })
    // Not attributable to a running test.
    else if (message.startsWith('Error: ')) send({ kind: 'failed', error: message })
  })
  .on('test:summary', () => {
    send({ kind: 'complete' })
    process.exit()
  })
