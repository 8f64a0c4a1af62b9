import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogOptions } from './log.ts'

function kept(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ level: 'info', format: 'json', write: (line) => lines.push(line), ...options })
  return { log, lines, first: () => JSON.parse(lines[0] ?? '{}') }
}

test('writes an event as one line of JSON', () => {
  const { log, lines, first } = kept()
  log.info({ path: '/\n{"level":"error"}', agent: '\u001b[31m\u2028' }, 'two\nlines')
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.trimEnd().split('\n').length, 1)
  assert.equal(first().message, 'two\nlines')
  assert.equal(first().level, 'info')
})

test('masks forbidden fields at any depth', () => {
  const { log, lines } = kept()
  const secret = 'TEST_ONLY_secret'
  const nested = { session_token: secret, headers: { cookie: secret }, list: [{ password: secret }] }
  log.error(
    { ...nested, err: Object.assign(new Error('no'), { config: { authorization: secret } }) },
    'failed',
  )
  assert.equal(lines.join('').includes(secret), false)
})

test('an error keeps message, code and cause', () => {
  const { log, first } = kept()
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  log.error({ err: new Error('no answer', { cause }) }, 'failed')
  assert.equal(first().err.message, 'no answer')
  assert.equal(first().err.cause.error_code, 'ECONNREFUSED')
})

test('a circular reference ends', () => {
  const { log, lines } = kept({ level: 'warn' })
  const circle: { self?: object } = {}
  circle.self = circle
  log.warn({ circle }, 'round')
  log.info({}, 'not this')
  assert.equal(lines.length, 1)
})

test('escapes control characters on a terminal', () => {
  const { log, lines } = kept({ format: 'text' })
  log.warn({ path: '/x' }, 'slow \u001b[2J')
  assert.match(lines[0] ?? '', /^\d\d:\d\d:\d\d warn: slow \\u001b\[2J {2}\{"path":"\/x"\}\n$/)
})
