import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../root.ts'
import { runFiles, runUnitTests } from './node-tests.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-node-tests-'))
after(() => rmSync(folder, { recursive: true }))

const FILES = {
  good: `
    import { after, test } from 'node:test'
    test('passes', (t) => { console.log('the test of good'); t.diagnostic('a diagnostic') })
    test('is left out', { skip: true }, () => {})`,
  wrong: `
    import { test } from 'node:test'
    test('fails', () => { throw new Error('on purpose') })
    test('contains others', async (t) => {
      await t.test('passes inside', () => {})
      await t.test('fails inside', () => { throw new Error('inside') })
    })`,
  empty: '',
  unloadable: `import './absent.mjs'`,
  halfLoaded: `
    import { test } from 'node:test'
    test('loads in time', () => {})
    throw new Error('half loaded')`,
  hanging: `
    import { test } from 'node:test'
    test('never ends', () => new Promise((resolve) => setTimeout(resolve, 600_000)))
    test('follows', () => {})`,
  stray: `
    import { test } from 'node:test'
    test('throws later', () => new Promise(() => setImmediate(() => { throw new Error('too late') })))`,
  tidying: `
    import { test } from 'node:test'
    test('fails while it tidies up', (t) => t.after(() => { throw new Error('in a hook') }))`,
  fatal: `
    import { test } from 'node:test'
    test('ends the process', () => process.exit(0))`,
  open: `
    import { after, test } from 'node:test'
    setInterval(() => {}, 1000)
    after(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      console.log('the server has stopped')
    })
    test('leaves a server running', () => {})`,
}

test('runs files in one process; what fails, hangs or is empty is named', async () => {
  const { records, output } = await run(Object.keys(FILES).filter((name) => name !== 'fatal'))
  const verdicts = Object.entries(Object.groupBy(records, ({ file }) => basename(file, '.test.mjs'))).map(
    ([file, own = []]) => [file, own.map(({ kind }) => kind)],
  )
  assert.deepEqual(Object.fromEntries(verdicts), {
    good: ['passed', 'diagnostic', 'skipped'],
    wrong: ['failed', 'passed', 'failed'],
    empty: ['failed'],
    unloadable: ['failed'],
    halfLoaded: ['passed', 'failed'],
    hanging: ['failed', 'passed'],
    stray: ['failed'],
    tidying: ['failed'],
    open: ['passed'],
  })
  const reasons = records.flatMap(({ kind, error }) => (kind === 'failed' ? [error] : [])).join('\n')
  for (const reason of [
    /on purpose/,
    /inside/,
    /contains no test/,
    /absent/,
    /half loaded/,
    /timed out/,
    /too late/,
    /in a hook/,
  ])
    assert.match(reasons, reason)
  assert.match(output, /the test of good/)
  assert.match(output, /the server has stopped/)
})

test('a process that ends early is a failure', async () => {
  const { records } = await run(['fatal', 'good'])
  assert.deepEqual(
    records.map(({ kind, error }) => [kind, error]),
    [['failed', 'The process of the tests ended (0).']],
  )
})

test('names a pattern that no path contains', async () => {
  const selection = { pattern: 'nosuch', title: undefined, all: false }
  await assert.rejects(
    runUnitTests(selection, folder, () => {}),
    {
      message: "No test file's path contains nosuch.",
    },
  )
})

test('selects tests by title', async () => {
  const { records } = await run(['good', 'wrong'], 'passes$')
  assert.deepEqual(
    records.flatMap(({ kind, text }) => (kind === 'diagnostic' ? [] : [text])),
    ['passes'],
  )
})

async function run(names: readonly string[], title?: string) {
  const files = names.map((name) => join(folder, `${name}.test.mjs`))
  for (const name of names) writeFileSync(join(folder, `${name}.test.mjs`), FILES[name as keyof typeof FILES])
  return await runFiles(
    files.map((file) => relative(root, file)),
    { scratch: folder, title, patience: 1000 },
  )
}
