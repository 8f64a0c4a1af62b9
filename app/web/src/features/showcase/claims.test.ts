import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claims } from './texts.ts'

const root = join(import.meta.dirname, '../../../../..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
const { version } = read('package.json') as { version: string }
const { figures } = read(`bench/results/${version}.json`) as { figures: { name: string; value: number }[] }

test.each(claims)(
  '"$figure" on the home page is what the benchmark of this version has measured',
  ({ proof }) => {
    const measured = figures.find(({ name }) => name === proof.name)?.value
    expect(measured).toBeGreaterThanOrEqual('at_least' in proof ? proof.at_least : 0)
    expect(measured).toBeLessThanOrEqual('at_most' in proof ? proof.at_most : Number.POSITIVE_INFINITY)
  },
)
