import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import { root } from '../child.mjs'
import type { FileResult } from './pool.ts'
import { runInPool } from './pool.ts'

const folder = mkdtempSync(join(tmpdir(), 'my-app-pool-'))
after(() => rmSync(folder, { recursive: true }))

const FILES = {
  'good.test.mjs': `
    import { after, test } from 'node:test'
    after(() => console.log('the hook of good'))
    test('passes', () => console.log('the test of good'))
    test('is left out', { skip: true }, () => {})`,
  'wrong.test.mjs': `
    import { test } from 'node:test'
    test('fails', () => { throw new Error('on purpose') })`,
  'careless.test.mjs': `
    import { test } from 'node:test'
    test('fails after its end', () => {
      setImmediate(() => setImmediate(() => { throw new Error('too late') }))
    })
    test('is running then', () => new Promise((resolve) => setTimeout(resolve, 50)))
    test('fails while it runs', () => new Promise(() => setImmediate(() => { throw new Error('in time') })))`,
  'untidy.test.mjs': `
    import { test } from 'node:test'
    test('fails while it tidies up', (t) => t.after(() => new Promise((resolve) => {
      setTimeout(resolve, 50)
      setImmediate(() => { throw new Error('in a hook') })
    })))`,
  'empty.test.mjs': '',
  'fatal.test.mjs': `
    import { test } from 'node:test'
    test('takes the process with it', () => process.exit(3))`,
  'endless.test.mjs': `
    import { test } from 'node:test'
    import { writeFileSync } from 'node:fs'
    test('never ends', () => {
      writeFileSync(import.meta.dirname + '/begun', '')
      return new Promise((resolve) => setTimeout(resolve, 600_000))
    })`,
  'last.test.mjs': `
    import { test } from 'node:test'
    test('runs all the same', () => {})`,
}

test('one process runs files one after the other, and none can spoil the verdict of another', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const results: FileResult[] = []
  const files = Object.keys(FILES).map((name) => relative(root, join(folder, name)))
  const run = runInPool(files, { size: 1, patience: 6000 }, (result) => results.push(result))
  for await (const _ of setInterval(20)) if (existsSync(join(folder, 'begun'))) break
  t.mock.timers.tick(6000)
  await run

  const verdicts = results.map((one) => one.verdicts.map(({ verdict }) => verdict))
  assert.deepEqual(verdicts, [
    ['passed', 'skipped'],
    ['failed'],
    ['passed', 'failed', 'failed'],
    ['failed'],
    ['failed'],
    ['failed'],
    ['failed'],
    ['passed'],
  ])
  const [good, wrong, careless, untidy, empty, fatal, endless] = results
  assert.equal(good?.output, 'the test of good\nthe hook of good\n')
  const reasons = [wrong, careless, untidy, empty, fatal, endless].map(
    (one) => one?.verdicts.at(-1)?.error ?? '',
  )
  const expected = [
    /on purpose/,
    /in time/,
    /in a hook/,
    /contains no test/,
    /process of the tests ended \(3\)/,
    /SIGKILL/,
  ]
  for (const [n, reason] of expected.entries()) assert.match(reasons[n] ?? '', reason)
  assert.match(careless?.verdicts[1]?.error ?? '', /too late/)
})
