import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { describeSettings } from '../server/src/env.ts'
import { root } from './child.mjs'

const documents = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test('links and pictures in the documents lead to files that exist', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('files of the project that the documents name exist', () => {
  const named = /`((?:identity|server|web|e2e|bench|scripts|security|docs)\/[\w./-]+)`/g
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(named)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${path} → ${target}`),
  )
  assert.deepEqual(missing, [])
})

test('commands that the documents name exist', () => {
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/npm run ([\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in manifest.scripts))
      .map((name) => `${path} → npm run ${name}`),
  )
  assert.deepEqual(unknown, [])
})

test('the table of settings in the README names every setting, and no other', () => {
  const readme = documents.find(({ path }) => path === 'README.md')?.text ?? ''
  const table = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  const settings = [...describeSettings().matchAll(/^ {2}([A-Z_]+)/gm)].map(([, name]) => name)
  assert.ok(settings.length > 10)
  assert.deepEqual(table, settings)
})
