import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EVENTS } from './record.ts'

test('SECURITY.md lists every security event and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../SECURITY.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.+) \| (yes|no) \|$/gm)].map((row) => row.slice(1))
  const events = Object.entries(EVENTS).map(([name, { means, stored }]) => [
    name,
    means,
    stored ? 'yes' : 'no',
  ])
  assert.deepEqual(rows, events)
})
