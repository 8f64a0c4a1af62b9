import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../..')
// The demo is for developers.
const screens = globSync('{app/web,packages/{ui,admin}/src}/**/*.tsx', { cwd: folder }).filter(
  (path) => !/\.test\.|\/(testing|dist)\//.test(path),
)

/** Literal words between tags, alone on a line of JSX, or in an announced attribute. */
const words = [
  />[^<>{}=;()'"`|&]*[A-Za-z]{2,}[^<>{}=;()'"`|&]*<\/(?!code)/,
  /^\s+[A-Z][a-z]+(?: [^=;(){}<>]*)?$/m,
  /\b(?:label|title|placeholder|alt|aria-label)="[^"]*[a-z]/,
]

test('screens take their words from the modules of texts, so that a translation has one place', () => {
  expect(screens.length).toBeGreaterThan(80)
  const found = screens.flatMap((path) => {
    const code = readFileSync(join(folder, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    return words.flatMap((pattern) => code.match(pattern)?.[0].trim() ?? []).map((text) => `${path}: ${text}`)
  })
  expect(found).toEqual([])
})
