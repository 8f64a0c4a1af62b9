import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Not read from app.config.ts: a product may be called like one of its pages.
const namesProduct = new RegExp(['My', 'App'].join(' '))

const root = join(import.meta.dirname, '../..')

test('no source but app.config.ts names the product', () => {
  const paths = globSync(
    '{app,packages,examples,e2e,bench,scripts,deploy}/**/*.{ts,tsx,mjs,html,css,svg,json,yaml,service}',
    { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
  )
  assert.ok(paths.length > 1000)
  const named = paths.filter((path) => namesProduct.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(named, [])
})

test('no package names the app', () => {
  const paths = globSync('packages/**/*.{ts,tsx,mjs,html,css,svg,json}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', 'packages/*/test/**', '**/*.test.{ts,tsx}'],
  })
  assert.ok(paths.length > 700, `${paths.length}`)
  const named = paths.filter((path) => /my.?app/i.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(named, [])
})
