import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { isChosen } from '../../input/sample.ts'
import { test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, letsIn } from '../../kit/recovery-kit.ts'

type Command = (one: Attempt) => Promise<Answer>

interface Attempt {
  readonly identity: TestIdentity
  readonly browser: Browser
  form: FlowAnswer
}

const send =
  (values: object): Command =>
  ({ browser, form }) =>
    browser.submit(form, values)

/** CVE-2026-18963. */
const common = {
  'switch method': send({ method: 'link', email: ADA }),
  back: send({ method: 'code', screen: 'previous' }),
  'method of another group': send({ method: 'password', password: 'another horse 9' }),
  fetch: ({ browser, form }: Attempt) => browser.get(`/self-service/recovery/flows?id=${form.body.id}`),
  settings: ({ browser, form }: Attempt) => {
    const values = { method: 'password', password: 'another horse 9' }
    return browser.send('POST', `/self-service/settings?flow=${form.body.id}`, values, {})
  },
  'too late': async ({ identity, browser, form }: Attempt) => {
    identity.advance(15 * 60_000)
    const over = await browser.submit(form, { method: 'code', code: 'abcdef' })
    return over.location === undefined ? over : await browser.get(over.location)
  },
}

const byCode = {
  'ask for a code': send({ method: 'code', email: ADA }),
  'wrong code': send({ method: 'code', code: 'abcdef' }),
  'ask again by the button': send({ email: ADA, method: 'code', code: '' }),
  ...common,
}

const byChoice = {
  'give the address': send({ method: 'code', recovery_address: ADA }),
  'wrong code': send({ method: 'code', code: 'abcdef' }),
  'ask again by the button': send({ method: 'code', recovery_confirm_address: ADA }),
  'take an address': send({ method: 'code', recovery_select_address: 'bm90aGluZw==' }),
  ...common,
}

testOn('SQLite', 'SEC-01 no sequence of up to four steps recovers an account without the code', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  await walkAll(identity, sequences(Object.keys(byCode), 4).filter(oneIn(60)), byCode)
})

test('SEC-01 no sequence of up to three steps recovers an account that chooses its address', async () => {
  const identity = await createTestIdentity({ feature_flags: { choose_recovery_address: true } })
  await identity.user(ADA)
  await walkAll(identity, sequences(Object.keys(byChoice), 3).filter(oneIn(8)), byChoice)
})

function sequences(names: readonly string[], length: number): string[][] {
  if (length === 0) return [[]]
  return sequences(names, length - 1).flatMap((before) => names.map((name) => [...before, name]))
}

function oneIn(outOf: number): (sequence: readonly string[]) => boolean {
  return (sequence) => isChosen(sequence.join(), outOf)
}

async function walkAll(
  identity: TestIdentity,
  chosen: readonly (readonly string[])[],
  commands: Readonly<Record<string, Command>>,
): Promise<void> {
  let let_in = 0
  for (const [n, sequence] of chosen.entries()) {
    // Against the hourly limit per address.
    identity.advance(2 * 3_600_000)
    const browser = identity.browser()
    const attempt: Attempt = { identity, browser, form: await browser.open('recovery') }
    for (const name of sequence) await walk(attempt, commands[name]!, sequence)
    if (n % 10 === 0 && (await finish(attempt))) let_in++
  }
  assert.ok(let_in > 0, 'some forms accepted a code')
}

async function walk(attempt: Attempt, command: Command, sequence: readonly string[]): Promise<void> {
  const answer = await command(attempt)
  assert.equal(letsIn(answer), false, sequence.join(', '))
  assert.equal(attempt.browser.cookies.has('ory_kratos_session'), false, sequence.join(', '))
  if (answer.body?.ui) attempt.form = answer as FlowAnswer
}

async function finish({ identity, browser, form }: Attempt): Promise<boolean> {
  if (!['sent_email', 'recovery_awaiting_code'].includes(form.body.state)) return false
  const [mail] = await identity.listMails(1)
  const code = mail?.body.match(/\b\d{6}\b/)?.[0]
  const done = await browser.submit(form, { method: 'code', code })
  assert.equal(letsIn(done), true, form.body.state)
  return true
}
