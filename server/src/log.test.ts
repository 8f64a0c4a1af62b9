import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo } from './log.ts'

test('a log line is one line of JSON, and a field that should not be there is not shown', () => {
  const lines: string[] = []
  const log = createLogTo({ write: (line) => lines.push(line) }, 'info')
  log.info(
    { path: '/', password: 'TEST_ONLY_a', cookie: 'TEST_ONLY_b', headers: { x: 'TEST_ONLY_c' } },
    'two\nlines',
  )
  log.debug({}, 'not logged at this level')
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.trim().split('\n').length, 1)
  assert.ok(!lines[0]?.includes('TEST_ONLY'))
  assert.equal(JSON.parse(lines[0] ?? '').path, '/')
})
