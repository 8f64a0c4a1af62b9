import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claims } from './claims.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { version } = read('package.json') as { version: string }
const { figures: measured } = read(`bench/results/${version}.json`) as {
  figures: { name: string; value: number }[]
}

test.each(claims.flatMap(({ figures = [] }) => figures))(
  'the demo says of "$name" what the benchmark of this version has measured',
  ({ name, at_least = 0, at_most = Number.POSITIVE_INFINITY }) => {
    const value = measured.find((figure) => figure.name === name)?.value
    expect(value).toBeGreaterThanOrEqual(at_least)
    expect(value).toBeLessThanOrEqual(at_most)
  },
)
