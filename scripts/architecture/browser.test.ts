import { test } from 'node:test'
import { assertNone, inside } from './sources.ts'

const pages = inside('app/web/src/').filter(({ path }) => !path.startsWith('app/web/src/testing/'))

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
  'app/web/src/clock.ts',
  'app/web/src/ui/form/form-error.tsx',
  'app/web/src/forms/code/enter-code.tsx',
  'app/web/src/features/security/backup-codes.tsx',
]

test('FLT-32: pages compare the server’s times with serverNow()', () => {
  const found = linesWith(/Date\.now\(\)|new Date\(\)/)
  assertNone(found.filter((line) => !OWN_CLOCK.some((path) => line.startsWith(`${path}:`))))
})
