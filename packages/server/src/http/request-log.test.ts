import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureLog, createRequestLog } from './edge.ts'

test('each request has a line; of the 503s one a second, with the number of others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines: [string, object][] = []
  const write = (fields: object, message: string) => void lines.push([message, fields])
  const answered = createRequestLog({ debug: write, info: write, warn: write, error: write })
  const answer = (status: number, times: number) => {
    for (let time = 0; time < times; time += 1) answered({ path: '/', status })
  }
  answer(200, 2)
  answer(503, 1_000)
  answer(500, 1)
  assert.deepEqual(
    lines.splice(0),
    [200, 200, 503, 500].map((status) => ['request', { path: '/', status }]),
  )
  t.mock.timers.tick(1_000)
  assert.deepEqual(lines.splice(0), [['more requests rejected with 503', { count: 999 }]])
  answer(503, 1)
  t.mock.timers.tick(1_000)
  assert.deepEqual(lines, [['request', { path: '/', status: 503 }]])
})

test('a probe has a line only if it fails', () => {
  const lines: object[] = []
  const none = () => {}
  const info = (fields: object) => void lines.push(fields)
  const answered = createRequestLog({ debug: none, info, warn: none, error: none })
  for (const status of [200, 503]) answered({ request_id: 'a', method: 'GET', path: '/health/ready', status })
  assert.deepEqual(lines, [{ request_id: 'a', method: 'GET', path: '/health/ready', status: 503 }])
})

test("a developer's terminal has a short line per failure", () => {
  const lines: unknown[] = []
  const info = (fields: object, message: string) => void lines.push([message, fields])
  const none = () => {}
  const answered = createFailureLog({ debug: none, info, warn: none, error: none })
  for (const status of [200, 303, 404]) answered({ request_id: 'a', method: 'GET', path: '/x', status })
  assert.deepEqual(lines, [['404 GET /x', {}]])
})
