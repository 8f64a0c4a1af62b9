import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNone, files, importsOf, inside } from './sources.ts'

test('a strategy imports no other strategy', () => {
  const folder = (path: string) => path.match(/strategies\/(?!all)([^/.]+)/)?.[1]
  const imports = inside('packages/identity/src/strategies/').flatMap(importsOf)
  assertNone(
    imports.map(({ file, target }) => {
      const [from, to] = [folder(file), folder(target)]
      return from && to && from !== to && `${file}: ${from} must not import ${to}`
    }),
  )
})

/** Because the protocol does. */
const namedByProtocol: Readonly<Record<string, readonly string[]>> = {
  // `POST /admin/recovery/code` and `/admin/recovery/link`.
  'recovery/operator.ts': ['code', 'link'],
  // The settings form sends traits with the method `profile`.
  'form/rules.ts': ['profile'],
  // An app's change of the profile sets the continuity cookie.
  'settings/access.ts': ['profile'],
  // An app without a session requests a message with these methods.
  'run/repeat.ts': ['code', 'link'],
  // `legacy_require_verified_login_error` is about passwords.
  'hooks/after-login.ts': ['password'],
}

test('a flow imports and names no strategy', () => {
  const flows = inside('packages/identity/src/flows/')
  const ids = inside('packages/identity/src/strategies/').flatMap(
    ({ text }) => text.match(/(?<=^ {2}id: ')\w+/m) ?? [],
  )
  assert.ok(ids.length >= 10, 'the pattern finds the strategies')
  // Query parameters are exempt.
  const named = new RegExp(`(?<!(?:get|has)\\()'(${ids.join('|')})'`, 'g')
  assertNone([
    ...flows.flatMap(importsOf).map(({ file, target }) => target.includes('/strategies/') && file),
    ...flows.flatMap(({ path, text }) => {
      const allowed = namedByProtocol[path.replace('packages/identity/src/flows/', '')] ?? []
      return [...text.matchAll(named)].map(
        ([, id = '']) => !allowed.includes(id) && `${path} must not name ${id}`,
      )
    }),
  ])
})

test('each part of a memo is declared once', () => {
  const names = inside('packages/identity/src/').flatMap(({ text }) =>
    [...text.matchAll(/storedFlowField<(?:[^()]|\([^)]*\))*?>\('(\w+)'\)/g)].map(([, name]) => name),
  )
  assert.ok(names.length > 15, 'the pattern finds the parts')
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
})

test('protocol tests run on every database', () => {
  const tests = files.filter(({ path }) => /^packages\/identity\/test\/protocol\/.*\.test\.ts$/.test(path))
  assert.ok(tests.length > 0)
  assertNone(
    tests.map(
      ({ path, text }) => /from 'node:test'/.test(text) && `${path} must take test from databases.ts`,
    ),
  )
})
