import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { parseConfig } from '../../config/config.ts'
import type { Context } from '../../contract/contract.ts'
import { createOnce } from '../../contract/once.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { METRICS } from '../../metrics/catalogue.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { checkPassword } from './policy.ts'

interface Call {
  readonly url: string
  readonly init: RequestInit
}

/** `answer` is the response of the breach list. */
function service(
  policy: object = {},
  answer: (url: string) => Response | Promise<Response> = () => new Response(''),
) {
  const { config } = parseConfig({
    dsn: 'memory',
    dev: true,
    secrets: { default: ['a-secret-of-the-tests'] },
    selfservice: {
      default_browser_return_url: 'https://app.test/',
      methods: { password: { config: { min_password_length: 6, haveibeenpwned_enabled: false, ...policy } } },
    },
    identity: { schemas: [{ id: 'default', schema: {} }] },
  })
  const calls: Call[] = []
  const logged: object[] = []
  const clock = { now: Date.parse('2031-04-02T09:15:30Z') }
  const ctx = {
    config,
    once: createOnce(config),
    metrics: createMetrics(METRICS),
    now: () => new Date(clock.now),
    log: { debug() {}, info() {}, error() {}, warn: (fields: object) => logged.push(fields) },
    fetch: async (url: string, init: RequestInit) => {
      calls.push({ url, init })
      return await answer(url)
    },
  } as unknown as Context
  return { ctx, calls, logged, clock }
}

async function messageOf(promise: Promise<void>) {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof FormError, String(error))
    assert.equal(error.entries.length, 1)
    assert.equal(error.entries[0]!.field, 'password')
    const { id, context } = error.entries[0]!.message
    return { id, context }
  }
  return undefined
}

const ADA = ['ada@example.test']

test('accepts a good password without a request', async () => {
  const { ctx, calls } = service()
  await checkPassword(ctx, 'correct horse', ADA)
  assert.equal(calls.length, 0)
})

test('measures the length in characters, as the page does', async () => {
  const { ctx } = service()
  const tooShort = (actual_length: number) => ({ id: 4000032, context: { min_length: 6, actual_length } })
  assert.deepEqual(await messageOf(checkPassword(ctx, 'a1!', [])), tooShort(3))
  assert.deepEqual(await messageOf(checkPassword(ctx, 'ééé', [])), tooShort(3))
  assert.deepEqual(await messageOf(checkPassword(ctx, '😀😀', [])), tooShort(2))
  assert.equal(await messageOf(checkPassword(ctx, 'éééééé', [])), undefined)
  assert.deepEqual(await messageOf(checkPassword(ctx, '', ADA)), tooShort(0))
})

test('SEC-15 rejects more than 1,024 characters', async () => {
  const { ctx } = service()
  assert.equal(await messageOf(checkPassword(ctx, '😀'.repeat(1024), ADA)), undefined)
  for (const password of ['a'.repeat(1025), '😀'.repeat(1025), 'a'.repeat(1_000_000)]) {
    const message = await messageOf(checkPassword(ctx, password, ADA))
    assert.equal(message?.id, 4000033)
    assert.equal(message?.context?.max_length, 1024)
  }
})

test('rejects a password similar to the identifier', async () => {
  const { ctx } = service()
  const cases: [password: string, identifier: string, refused: boolean][] = [
    ['ada@example.test', 'ada@example.test', true],
    ['ADA@EXAMPLE.TEST', 'ada@example.test', true],
    ['ada@example.com', 'ada@example.test', true],
    // Five changes are enough.
    ['abcdefgh', 'abcd1234', true],
    ['abcxyefgh', 'zbwd12345', false],
    // The name contains more than half of the password.
    ['example-77', 'ada@example.test', true],
    ['example-7777777', 'ada@example.test', false],
    ['correct horse', 'ada@example.test', false],
    // Too long to compare.
    ['a'.repeat(257), 'a'.repeat(257), false],
  ]
  for (const [password, identifier, refused] of cases) {
    const message = await messageOf(checkPassword(ctx, password, ['nobody@else.test', identifier]))
    assert.deepEqual(message, refused ? { id: 4000031, context: undefined } : undefined, password)
  }
  const off = service({ identifier_similarity_check_enabled: false })
  await checkPassword(off.ctx, 'ada@example.test', ADA)
})

const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const range = (...rows: string[]) =>
  new Response(['0'.repeat(35), ...rows, `${'F'.repeat(35)}:3`].join('\r\n'))

test('rejects a breached password and sends five digits only', async () => {
  const digest = digestOf('hunter2hunter2')
  const { ctx, calls } = service({ haveibeenpwned_enabled: true }, () => range(`${digest.slice(5)}:17`))
  const message = await messageOf(checkPassword(ctx, 'hunter2hunter2', ADA))
  assert.deepEqual(message, { id: 4000034, context: { breaches: 17 } })
  assert.equal(calls[0]!.url, `https://api.pwnedpasswords.com/range/${digest.slice(0, 5)}`)
  assert.ok(calls[0]!.init.signal instanceof AbortSignal)
  assert.equal(calls[0]!.init.redirect, 'error')
})

test('accepts the configured number of breaches and ignores padding', async () => {
  const suffix = digestOf('hunter2hunter2').slice(5)
  const cases: [row: string, max_breaches: number, breaches: number | undefined][] = [
    [`${suffix}:3`, 3, undefined],
    [`${suffix}:4`, 3, 4],
    [`${suffix}:0`, 0, undefined],
    [suffix, 0, 1],
    [`${suffix}`, 1, undefined],
  ]
  for (const [row, max_breaches, breaches] of cases) {
    const { ctx } = service({ haveibeenpwned_enabled: true, max_breaches }, () => range(row))
    const message = await messageOf(checkPassword(ctx, 'hunter2hunter2', ADA))
    assert.equal(message?.context?.breaches, breaches, row)
  }
})

test('requests a range once an hour', async () => {
  const { ctx, calls, clock } = service({ haveibeenpwned_enabled: true }, () => range())
  for (let turn = 0; turn < 3; turn++) await checkPassword(ctx, 'correct horse', ADA)
  assert.equal(calls.length, 1)
  clock.now += 3_600_000
  await checkPassword(ctx, 'correct horse', ADA)
  assert.equal(calls.length, 2)
})

test('caches a hundred ranges', async () => {
  const { ctx, calls } = service({ haveibeenpwned_enabled: true }, () => range())
  for (let number = 0; number < 130; number++) await checkPassword(ctx, `correct horse ${number}`, ADA)
  const asked = calls.length
  await checkPassword(ctx, 'correct horse 129', ADA)
  assert.equal(calls.length, asked)
  await checkPassword(ctx, 'correct horse 0', ADA)
  assert.equal(calls.length, asked + 1)
})

const failures: [string, () => Response | Promise<Response>][] = [
  ['the network', () => Promise.reject(new TypeError('fetch failed'))],
  ['a time-out', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ['an error of the host', () => new Response('busy', { status: 503 })],
  ['a page of a captive portal', () => new Response('<h1>Welcome</h1>')],
]

for (const [name, answer] of failures) {
  test(`accepts the password and logs it if ${name} makes the breach list unavailable`, async () => {
    const { ctx, calls, logged } = service({ haveibeenpwned_enabled: true }, answer)
    await checkPassword(ctx, 'correct horse', ADA)
    await checkPassword(ctx, 'correct horse', ADA)
    assert.equal(calls.length, 2)
    assert.equal((logged[0] as { event?: string }).event, 'security.check_skipped')
    assert.doesNotMatch(JSON.stringify(logged), /correct|horse/)
  })

  test(`asks to try again if ${name} makes a required list unavailable`, async () => {
    const { ctx } = service({ haveibeenpwned_enabled: true, ignore_network_errors: false }, answer)
    await assert.rejects(checkPassword(ctx, 'correct horse', ADA), (error) => {
      assert.ok(error instanceof ProtocolError)
      assert.deepEqual([error.parts.status, error.parts.id], [502, 'upstream_error'])
      return true
    })
  })
}

test('SEC-49 rejects a common password without a request', async () => {
  const on = service({ refuse_common_passwords: true })
  await assert.rejects(checkPassword(on.ctx, 'Qwerty123', []), FormError)
  await assert.rejects(checkPassword(on.ctx, 'localhost-2026', []), FormError)
  await checkPassword(on.ctx, 'correct horse 9 battery', [])
  await checkPassword(service().ctx, 'Qwerty123', [])
  assert.deepEqual(on.calls, [])
})
