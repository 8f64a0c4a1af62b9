import assert from 'node:assert/strict'
import { allStrategies } from '../../../src/strategies/all.ts'
import { type Answer, messageIds, secretIn } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import {
  ADA,
  addBackupCodes,
  addTotp,
  atSecondFactor,
  codeOf,
  SECOND_FACTORS,
  withAda,
} from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

type Spell = (code: string) => string

const inDigits = (zero: number) => (code: string) =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const halves = (code: string) => [code.slice(0, code.length / 2), code.slice(code.length / 2)]

const SPELLINGS: readonly (readonly [string, Spell])[] = [
  ['a space', (code) => halves(code).join(' ')],
  ['a no-break space', (code) => halves(code).join('\u00a0')],
  ['a dash', (code) => halves(code).join('-')],
  ['a long dash', (code) => halves(code).join('\u2013')],
  ['blanks around', (code) => ` ${code}\n`],
  ['direction marks', (code) => `\u202a${code}\u202c`],
  ['full-width digits', inDigits(0xff10)],
  ['Arabic digits', inDigits(0x0660)],
  ['Persian digits', inDigits(0x06f0)],
  ['Devanagari digits', inDigits(0x0966)],
  ['mathematical digits', inDigits(0x1d7f6)],
]

const LETTERS: readonly (readonly [string, Spell])[] = [
  ...SPELLINGS,
  ['capitals', (code) => code.toUpperCase()],
  ['Turkish capitals', (code) => code.replaceAll('i', 'İ')],
  ['full-width letters', (code) => code.replaceAll(/[!-~]/g, fullWidth)],
]

function fullWidth(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)
}

const WITH_CODES = {
  selfservice: { ...SECOND_FACTORS.selfservice, methods: { code: { passwordless_enabled: true } } },
}

/** Every field for a code, by the result of a correct one. */
const EMAILED: Readonly<Record<string, (identity: TestIdentity, spell: Spell) => Promise<Answer>>> = {
  async login(identity, spell) {
    const app = identity.app()
    const asked = await app.submit(await app.open('login'), { method: 'code', identifier: ADA })
    const code = spell(await identity.code(ADA))
    return await app.submit(asked, { method: 'code', identifier: ADA, code })
  },
  async registration(identity, spell) {
    const app = identity.app()
    const traits = { email: 'new@example.com' }
    const asked = await app.submit(await app.open('registration'), { method: 'code', traits })
    return await app.submit(asked, { method: 'code', traits, code: spell(await identity.code(traits.email)) })
  },
  async recovery(identity, spell) {
    const browser = identity.browser()
    const asked = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
    return await browser.submit(asked, { method: 'code', code: spell(await identity.code(ADA)) })
  },
  async verification(identity, spell) {
    const browser = identity.browser()
    const asked = await browser.submit(await browser.open('verification'), { method: 'code', email: ADA })
    const done = await browser.submit(asked, { method: 'code', code: spell(await identity.code(ADA)) })
    return { ...done, status: done.body.state === 'passed_challenge' ? 200 : 400 }
  },
}

/** A method with another field for typed codes gets a test here. */
test('every field for a typed code is tested', () => {
  const fields = allStrategies.flatMap(({ secretFields = [] }) => secretFields.map(({ name }) => name))
  const ofAuthenticators = /^(webauthn|passkey)_/
  assert.deepEqual(
    fields.filter((name) => !ofAuthenticators.test(name)),
    ['code', 'totp_code', 'lookup_secret'],
  )
})

for (const [flow, use] of Object.entries(EMAILED)) {
  for (const [name, spell] of SPELLINGS) {
    test(`a code typed with ${name} completes the ${flow}`, async () => {
      const identity = await createTestIdentity(WITH_CODES)
      await identity.user(ADA)
      const done = await use(identity, spell)
      // A recovery continues at the settings.
      assert.ok(done.status === 200 || done.status === 422, JSON.stringify(done.body))
    })
  }
}

for (const [name, spell] of SPELLINGS) {
  test(`a TOTP code typed with ${name} sets the app up, and signs in`, async () => {
    const { identity, browser } = await withAda()
    const flow = await browser.open('settings')
    const secret = secretIn(flow)
    const typed = { method: 'totp', totp_code: spell(codeOf(identity, secret)) }
    assert.equal((await browser.submit(flow, typed)).status, 200)
    const other = await atSecondFactor(identity)
    assert.equal((await other.browser.submit(other.flow, typed)).status, 200)
  })
}

test('a backup code works in every spelling', async () => {
  const { identity, browser } = await withAda()
  let codes: string[] = []
  const failed: string[] = []
  for (const [name, spell] of LETTERS) {
    if (codes.length === 0) codes = await addBackupCodes(browser)
    const code = codes.pop() ?? ''
    const { browser: other, flow } = await atSecondFactor(identity)
    const { status } = await other.submit(flow, { method: 'lookup_secret', lookup_secret: spell(code) })
    if (status !== 200) failed.push(`${name}: ${spell(code)}`)
    identity.advance(60_000)
  }
  assert.deepEqual(failed, [])
})

test('a code of nothing but spaces is missing', async () => {
  const { identity, browser } = await withAda()
  await addTotp(identity, browser)
  const { browser: other, flow } = await atSecondFactor(identity)
  const empty = await other.submit(flow, { method: 'totp', totp_code: ' - ' })
  const fields = empty.body.ui.nodes.flatMap(({ messages }) => messages.map(({ id }) => id))
  assert.deepEqual([empty.status, messageIds(empty), fields], [400, [], [4000002]])
})

test('an imported backup code signs in as the other service spelled it, and in lower case', async () => {
  const identity = await createTestIdentity(SECOND_FACTORS)
  const codes = ['ABCD-1234', 'EFGH-5678']
  const config = { recovery_codes: codes.map((code) => ({ code })) }
  await identity.admin('POST', '/admin/identities', {
    traits: { email: ADA },
    credentials: {
      password: { config: { password: 'correct horse 9 battery' } },
      lookup_secret: { config },
    },
  })
  for (const code of [codes[0], 'efgh5678']) {
    const { browser, flow } = await atSecondFactor(identity)
    assert.equal((await browser.submit(flow, { method: 'lookup_secret', lookup_secret: code })).status, 200)
  }
})

for (const kind of ['recovery', 'verification'] as const) {
  for (const method of ['code', 'link']) {
    test(`${kind} by ${method} accepts blanks and invisible characters around an address`, async () => {
      const identity = await createTestIdentity({
        selfservice: { methods: { link: { enabled: true } }, flows: { [kind]: { use: method } } },
      })
      await identity.user(ADA)
      const app = identity.app()
      const sent = await app.submit(await app.open(kind), { method, email: `\u200b ${ADA}\u00a0` })
      assert.deepEqual([sent.status, sent.body.state], [200, 'sent_email'])
      assert.equal((await identity.mails(ADA)).length, 1)
    })
  }
}
