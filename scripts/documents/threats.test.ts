import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../root.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = globSync('{*,{app,packages,e2e,bench,scripts}/**/*}.{ts,tsx,mjs}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})
const id = /\b(?:SEC|FLT|FUZ|HDR|SUP)-\d+\b/g
const page = read('docs/threats.md')
const rows = [...page.matchAll(/^\| ((?:SEC|FLT|FUZ|HDR|SUP)-\d+) \|.*\| (.+) \|$/gm)].map(
  ([, name = '', tests = '']) => ({ name, tests: tests.split('<br>') }),
)

test('docs/threats.md and the code name the same threats', () => {
  const named = new Set(sources.flatMap((path) => read(path).match(id) ?? []))
  const listed = rows.map(({ name }) => name)
  assert.ok(named.size > 50, 'the pattern finds ids')
  assert.deepEqual(listed.toSorted(), [...named].toSorted())
})

test('every threat links a test that names it', () => {
  const missing = rows.flatMap(({ name, tests }) =>
    tests.filter((cell) => !textOf(cell)?.includes(name)).map((cell) => `${name}: ${cell}`),
  )
  assert.deepEqual(missing, [])
})

function textOf(cell: string): string | undefined {
  const [, path = ''] = /^\[[^\]]+\]\(\.\.\/([^)]+)\)$/.exec(cell) ?? []
  return sources.includes(path) ? read(path) : undefined
}
