import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

test('sentences say "log in"; only labels of buttons say "Sign in with …"', () => {
  const paths = globSync('{app,template,examples,packages/*}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/test/**',
      '**/*.test.*',
      'packages/kratos/src/texts/**',
    ],
  })
  assert.ok(paths.length > 700, String(paths.length))
  const found = paths.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => /\bsign(ed|ing|s)?[ -](in|out)/i.test(sentencesOf(line)))
      .map((line) => `${path}: ${line.trim()}`),
  )
  assert.deepEqual(found, ["packages/ui/src/features/sign-in/texts.ts: verb: 'Sign in',"])
})

/** Without comments, imports, and names and patterns in lower case such as `sign-in` or `./sign-in-form.tsx`. */
function sentencesOf(line: string): string {
  if (/^\s*(\/\/|\/?\*|import |export \*)/.test(line)) return ''
  return line.replaceAll(/(['"`/])[a-z\d_.()|\\/-]+\1|Sign in with |\/\/ .*/g, '')
}
