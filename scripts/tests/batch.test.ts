import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { root } from '../child.mjs'
import type { FileResult } from './batch.ts'
import { runBatch } from './batch.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-batch-'))
after(() => rmSync(folder, { recursive: true }))

const FILES = {
  'good.test.mjs': `
    import { after, test } from 'node:test'
    test('passes', (t) => { console.log('the test of good'); t.diagnostic('a diagnostic') })
    test('is left out', { skip: true }, () => {})`,
  'wrong.test.mjs': `
    import { test } from 'node:test'
    test('fails', () => { throw new Error('on purpose') })
    test('contains others', async (t) => {
      await t.test('passes inside', () => {})
      await t.test('fails inside', () => { throw new Error('inside') })
    })`,
  'empty.test.mjs': '',
  'unloadable.test.mjs': `import './absent.mjs'`,
  'hanging.test.mjs': `
    import { test } from 'node:test'
    test('never ends', () => new Promise((resolve) => setTimeout(resolve, 600_000)))
    test('follows', () => {})`,
  'stray.test.mjs': `
    import { test } from 'node:test'
    test('throws later', () => new Promise(() => setImmediate(() => { throw new Error('too late') })))`,
  'tidying.test.mjs': `
    import { test } from 'node:test'
    test('fails while it tidies up', (t) => t.after(() => { throw new Error('in a hook') }))`,
  'fatal.test.mjs': `
    import { test } from 'node:test'
    test('ends the process', () => process.exit(0))`,
  'last.test.mjs': `
    import { test } from 'node:test'
    test('still runs', () => {})`,
  'only.test.mjs': `
    import { test } from 'node:test'
    test('is not selected', () => { throw new Error('not selected') })
    test.only('is selected', () => {})`,
}

const pathOf = (name: string) => relative(root, join(folder, name))

test('a file that crashes its process fails without stopping the others', async () => {
  const results = await runAll(Object.keys(FILES).slice(0, -1), { patience: 1000 })
  const verdicts = Object.fromEntries(
    results.map(({ file, tests }) => [file.split('/').at(-1), tests.map(({ verdict }) => verdict)]),
  )
  assert.deepEqual(verdicts, {
    'good.test.mjs': ['passed', 'skipped'],
    'wrong.test.mjs': ['failed', 'passed', 'failed'],
    'empty.test.mjs': ['failed'],
    'unloadable.test.mjs': ['failed'],
    'hanging.test.mjs': ['failed', 'passed'],
    'stray.test.mjs': ['failed'],
    'tidying.test.mjs': ['failed'],
    'fatal.test.mjs': ['failed'],
    'last.test.mjs': ['passed'],
  })
  const reasons = results.flatMap(({ tests }) => tests.flatMap(({ error }) => error || []))
  const expected = [
    /on purpose/,
    /inside/,
    /contains no test/,
    /absent/,
    /timed out/,
    /too late/,
    /in a hook/,
    /process of the tests ended \(0\)/,
  ]
  for (const [n, reason] of expected.entries()) assert.match(reasons[n] ?? '', reason)
  assert.match(results[0]?.output ?? '', /the test of good/)
  assert.deepEqual(results[0]?.diagnostics, ['a diagnostic'])
})

test('selects tests by title and by `only`', async () => {
  const byTitle = await runAll(['good.test.mjs', 'wrong.test.mjs'], { patience: 1000, title: 'passes$' })
  assert.deepEqual(
    byTitle.map(({ tests }) => tests.map(({ name }) => name)),
    [['passes']],
  )
  const [byOnly] = await runAll(['only.test.mjs'], { patience: 1000 })
  assert.deepEqual(
    byOnly?.tests.map(({ name }) => name),
    ['is selected'],
  )
})

async function runAll(names: string[], options: { patience: number; title?: string }) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const results: FileResult[] = []
  const queue = [names.map(pathOf)]
  for (let batch = queue.shift(); batch; batch = queue.shift())
    queue.push(...(await runBatch(batch, options, (result) => results.push(result))))
  return results
}
