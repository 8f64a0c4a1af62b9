import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../..')
// The demo is for developers.
const sources = globSync('{app/web,packages/{ui,admin}/src}/**/*.{ts,tsx}', { cwd: folder }).filter(
  (path) => !/\.test\.|\/(testing|dist|texts)\/|\/texts[\w-]*\.ts$|-json\.ts$/.test(path),
)
const screens = sources.filter((path) => path.endsWith('.tsx'))
const codeOf = (path: string) =>
  readFileSync(join(folder, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, '')

/** Literal words between tags, alone on a line of JSX, or in an announced attribute. */
const words = [
  />[^<>{}=;()'"`|&]*[A-Za-z]{2,}[^<>{}=;()'"`|&]*<\/(?!code)/,
  /^\s+[A-Z][a-z]+(?: [^=;(){}<>]*)?$/m,
  /\b(?:label|title|placeholder|alt|aria-label)="[^"]*[a-z]/,
]

test('screens take their words from the modules of texts, so that a translation has one place', () => {
  expect(screens.length).toBeGreaterThan(80)
  const found = screens.flatMap((path) => {
    const code = codeOf(path)
    return words.flatMap((pattern) => code.match(pattern)?.[0].trim() ?? []).map((text) => `${path}: ${text}`)
  })
  expect(found).toEqual([])
})

/** For the console. */
const forDevelopers = /\b(?:new (?:Type)?Error|console\.\w+)\([^)]*\)/g
/** A capital letter, and a second word or an end. */
const sentence = /(['"`])(?:[A-Z][a-z’]*(?:,? [A-Za-z’$]|: \$)|[A-Z][a-z]+[.!?…])(?:(?!\1).)*\1/g
/** Words of HTTP, and of the protocol. */
const names = /^.(?:Bearer |Content-)/

test('no other code says a sentence, so that a product can replace each', () => {
  const found = sources.flatMap((path) => {
    const literals = codeOf(path).replaceAll(forDevelopers, '').match(sentence) ?? []
    return literals.filter((text) => !names.test(text)).map((text) => `${path}: ${text}`)
  })
  expect(found).toEqual([])
})

/** Includes sentences of the server, except those quoted from Kratos. */
const catalogues = globSync(
  '{app,packages/{ui,admin,demo}/src/**,packages/react/src/flow,packages/identity/src/ui}/{*texts*,messages,own-messages,explain}.ts',
  { cwd: folder },
).concat(globSync('packages/ui/src/texts/*.ts', { cwd: folder }).filter((path) => !path.includes('.test.')))

test('sentences have typographic apostrophes, and no line breaks within a number of digits', () => {
  expect(catalogues.length).toBeGreaterThan(25)
  const found = catalogues.flatMap((path) => {
    const texts = codeOf(path).match(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g) ?? []
    return texts
      .filter((text) =>
        /\p{L}'\p{L}|\b(?:\d+|two|three|four|five|six|eight)-(?:digit|minute|hour|day)/u.test(text),
      )
      .map((text) => `${path}: ${text}`)
  })
  expect(found).toEqual([])
})

test('dates have one format, that of the page’s language', () => {
  const formatters = [...sources, ...globSync('packages/demo/src/**/*.{ts,tsx}', { cwd: folder })].filter(
    (path) => /Intl\.DateTimeFormat|toLocale(?:Date|Time)?String/.test(codeOf(path)),
  )
  expect(formatters.sort()).toEqual(['packages/ui/src/ui/format.tsx', 'packages/ui/src/ui/locale.ts'])
})
