import { test } from 'node:test'
import { assertNone, importsOf, inside } from './sources.ts'

const pages = [
  'app/web/',
  'packages/react/src/',
  'packages/ui/src/',
  'packages/admin/src/',
  'packages/demo/src/',
]
  .flatMap(inside)
  .filter(({ path }) => !/^packages\/(ui|react)\/src\/testing\//.test(path))

const linesWith = (pattern: RegExp) =>
  pages.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
  )

test('pages format, sort and change letters for their own language, not the browser’s', () => {
  assertNone(
    linesWith(/new Intl\.\w+\((?!locale\b)|\.toLocale\w*\((?!locale\b)|localeCompare|navigator\.language/),
  )
})

/** For countdowns of this page, and the date on a printed sheet. */
const OWN_CLOCK = [
  'packages/react/src/clock.ts',
  'packages/ui/src/ui/form/form-error.tsx',
  'packages/ui/src/forms/code/enter-code.tsx',
  'packages/ui/src/features/security/backup-codes.tsx',
]

test('FLT-32: pages compare the server’s times with serverNow()', () => {
  const found = linesWith(/Date\.now\(\)|new Date\(\)/)
  assertNone(found.filter((line) => !OWN_CLOCK.some((path) => line.startsWith(`${path}:`))))
})

test('a change of what pages import of the identity service builds them again', () => {
  const [builds] = inside('packages/server/commands/builds.mjs')
  const imported = [...pages, ...inside('packages/ui/vite/')]
    .flatMap(importsOf)
    .filter(({ target, typeOnly }) => target.startsWith('@ostiary/identity/') && !typeOnly)
  assertNone(
    imported.map(
      ({ file, target }) =>
        !builds?.text.includes(`'${target.replace('@ostiary/identity/', '')}'`) && `${file}: ${target}`,
    ),
  )
})
