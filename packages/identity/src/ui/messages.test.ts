import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kratos } from '@ostiary/kratos'
import type { UiText } from '../wire/text.ts'
import { messages } from './messages.ts'

const { message: inKratosWords } = await kratos.loadTexts()
const THEN = '2031-04-02T10:15:00.500000Z'
const THEN_UNIX = 1_932_891_300

const LINK = {
  duplicate_identifier: 'ada@example.com',
  provider: 'Google',
  new_login_url: 'https://app.example.com/login',
  available_credential_types: ['code', 'oidc'],
  available_providers: ['google'],
}
const HINTS = {
  available_credential_types: ['password'],
  available_oidc_providers: [],
  credential_identifier_hint: 'ada@example.com',
}

/** With the context that clients read. */
const WITH_CONTEXT: Record<string, [UiText, object | undefined]> = {
  loginWith: [messages.loginWith('GitHub', 'github'), { provider: 'GitHub', provider_id: 'github' }],
  loginAal2: [messages.loginAal2('ada@example.com'), { identifier: 'ada@example.com' }],
  loginToLink: [
    messages.loginToLink(LINK),
    { ...LINK, duplicateIdentifier: 'ada@example.com', newLoginUrl: 'https://app.example.com/login' },
  ],
  loginAndLinkWith: [messages.loginAndLinkWith('GitHub'), { provider: 'GitHub' }],
  loginSendCodeTo: [
    messages.loginSendCodeTo('ada@example.com', 'email'),
    { address: 'ada@example.com', channel: 'email' },
  ],
  registrationWith: [
    messages.registrationWith('GitHub', 'github'),
    { provider: 'GitHub', provider_id: 'github' },
  ],
  linkProvider: [messages.linkProvider('GitHub'), { provider: 'GitHub' }],
  unlinkProvider: [messages.unlinkProvider('GitHub'), { provider: 'GitHub' }],
  totpSecret: [messages.totpSecret('ABC'), { secret: 'ABC' }],
  backupCode: [messages.backupCode('abc'), { secret: 'abc' }],
  backupCodeUsed: [messages.backupCodeUsed(THEN), { used_at: THEN, used_at_unix: THEN_UNIX }],
  backupCodesList: [
    messages.backupCodesList([messages.backupCode('abc')]),
    { secrets: [{ id: 1050009, text: 'abc', type: 'info', context: { secret: 'abc' } }] },
  ],
  securityKeyRemove: [
    messages.securityKeyRemove('blue', THEN),
    { display_name: 'blue', added_at: THEN, added_at_unix: THEN_UNIX },
  ],
  passkeyRemove: [
    messages.passkeyRemove('blue', THEN),
    { display_name: 'blue', added_at: THEN, added_at_unix: THEN_UNIX },
  ],
  recovered: [
    messages.recovered(THEN),
    {
      privilegedSessionExpiresAt: THEN,
      privileged_session_expires_at: THEN,
      privileged_session_expires_at_unix: THEN_UNIX,
    },
  ],
  recoveryCodeSentTo: [
    messages.recoveryCodeSentTo('ad****@example.com'),
    { masked_address: 'ad****@example.com' },
  ],
  label: [messages.label('ad****@example.com'), undefined],
  traitLabel: [messages.traitLabel('E-Mail', 'traits.email'), { title: 'E-Mail', name: 'traits.email' }],
  generic: [messages.generic('No.'), { reason: 'No.' }],
  required: [messages.required('email'), { property: 'email' }],
  tooShort: [messages.tooShort(3, 0), { min_length: 3, actual_length: 0 }],
  patternMismatch: [messages.patternMismatch('^a$'), { pattern: '^a$' }],
  passwordRefused: [messages.passwordRefused('No.'), { reason: 'No.' }],
  tooLong: [messages.tooLong(100, 101), { max_length: 100, actual_length: 101 }],
  tooLow: [messages.tooLow(18, 17), { minimum: 18, actual: 17 }],
  notAbove: [messages.notAbove(18, 18), { minimum: 18, actual: 18 }],
  tooHigh: [messages.tooHigh(99, 100), { maximum: 99, actual: 100 }],
  notBelow: [messages.notBelow(99, 99), { maximum: 99, actual: 99 }],
  notMultiple: [messages.notMultiple(5, 7), { base: 5, actual: 7 }],
  tooManyItems: [messages.tooManyItems(2, 3), { max_items: 2, actual_items: 3 }],
  tooFewItems: [messages.tooFewItems(2, 1), { min_items: 2, actual_items: 1 }],
  equalItems: [messages.equalItems(0, 1), { index_a: 0, index_b: 1 }],
  wrongType: [messages.wrongType(['string'], 'number'), { allowed_types: ['string'], actual_type: 'number' }],
  duplicateIdentifierHints: [messages.duplicateIdentifierHints(HINTS), HINTS],
  notConstant: [messages.notConstant('true'), { expected: 'true' }],
  passwordTooShort: [messages.passwordTooShort(6, 3), { min_length: 6, actual_length: 3 }],
  passwordTooLong: [messages.passwordTooLong(72, 80), { max_length: 72, actual_length: 80 }],
  passwordBreached: [messages.passwordBreached(12), { breaches: 12 }],
  invalidEmail: [messages.invalidEmail('nope'), { value: 'nope' }],
  invalidPhone: [messages.invalidPhone('nope'), { value: 'nope' }],
  loginFlowExpired: [messages.loginFlowExpired(THEN), { expired_at: THEN, expired_at_unix: THEN_UNIX }],
  registrationFlowExpired: [
    messages.registrationFlowExpired(THEN),
    { expired_at: THEN, expired_at_unix: THEN_UNIX },
  ],
  settingsFlowExpired: [messages.settingsFlowExpired(THEN), { expired_at: THEN, expired_at_unix: THEN_UNIX }],
  recoveryFlowExpired: [messages.recoveryFlowExpired(THEN), { expired_at: THEN, expired_at_unix: THEN_UNIX }],
  verificationFlowExpired: [
    messages.verificationFlowExpired(THEN),
    { expired_at: THEN, expired_at_unix: THEN_UNIX },
  ],
  tooManyAttempts: [
    messages.tooManyAttempts(120, THEN),
    { retry_after: 120, retry_at: THEN, retry_at_unix: THEN_UNIX },
  ],
  system: [messages.system('No.'), { reason: 'No.' }],
}

for (const [name, [message, context]] of Object.entries(WITH_CONTEXT)) {
  test(`the message "${name}" follows the protocol`, () => {
    assert.deepEqual(message.context, context)
  })
}

const all = Object.entries(messages).map(([name, entry]): [string, UiText | undefined] => [
  name,
  typeof entry === 'function' ? WITH_CONTEXT[name]?.[0] : entry,
])

test('a wrong number or an empty box says what to do', () => {
  assert.equal(messages.wrongType(['integer'], 'number').text, 'Please enter a whole number.')
  assert.equal(messages.wrongType(['number', 'null'], 'string').text, 'Please enter a number.')
  assert.equal(messages.notConstant('true').text, 'Please tick this box.')
})

test('every message has a sentence', () => {
  for (const [name, message] of all) {
    assert.ok(message, `${name} has an example`)
    assert.ok(message.text.length > 0 && message.text.length <= 110, name)
  }
})

test('an id has one message', () => {
  const ordered = all.map(([, message]) => message!.id)
  assert.deepEqual(
    ordered,
    ordered.toSorted((a, b) => a - b),
  )
  // Two sentences may share an id where clients act alike.
  const kinds = Map.groupBy(all, ([, message]) => message!.id)
  for (const [id, entries] of kinds) {
    const kind = entries.map(([, message]) => [message!.type, Object.keys(message!.context ?? {})])
    assert.deepEqual(new Set(kind.map((one) => JSON.stringify(one))).size, 1, String(id))
  }
})

test("an id's first digit separates errors from notices", () => {
  for (const [name, message] of all) {
    assert.equal(message!.type === 'error', message!.id >= 4_000_000, name)
  }
})

test('an error says what to do', () => {
  const free = new Set(['generic', 'passwordRefused', 'system', 'duplicateIdentifierHints'])
  for (const [name, message] of all) {
    if (message!.type === 'error' && !free.has(name)) assert.match(message!.text, /^\p{Lu}.*\.$/u, name)
  }
})

test("a message also has Kratos' words", () => {
  const now = new Date(Date.parse(THEN) + 90_000)
  const words = (message: UiText) => inKratosWords(message, now).text
  assert.equal(words(messages.login), 'Sign in')
  assert.equal(words(messages.required('email')), 'Property email is missing.')
  assert.equal(
    words(messages.loginFlowExpired(THEN)),
    'The login flow expired 1.50 minutes ago, please try again.',
  )
  assert.equal(
    words(messages.duplicateIdentifierHints({ ...HINTS, available_credential_types: ['password', 'oidc'] })),
    'You tried signing in with ada@example.com which is already in use by another account. You can sign in using your password, or social sign in.',
  )
  const used = messages.backupCodeUsed('2026-07-01T12:00:00.000Z')
  assert.equal(words(used), 'Secret was used at 2026-07-01 12:00:00 +0000 UTC')
  for (const [name, message] of all) assert.doesNotMatch(words(message!), /[{}]|undefined|NaN/, name)
})

test('a message cannot be changed', () => {
  for (const [name, message] of all) {
    assert.ok(Object.isFrozen(message), name)
    assert.ok(message!.context === undefined || Object.isFrozen(message!.context), name)
  }
})

test('SEC-121 messages spell addresses readably, in both wordings, and leave them to clients as stored', () => {
  const address = 'ada@xn--exmple-cua.com'
  const imitation = 'ada@аррӏе.com'
  for (const [given, shown] of [
    [address, 'ada@exämple.com'],
    [imitation, 'ada@xn--80ak6aa92e.com'],
  ] as const) {
    const message = messages.loginSendCodeTo(given, 'email')
    assert.equal(message.text, `Send a code to ${shown}`)
    assert.equal(inKratosWords(message, new Date(THEN)).text, `Send code to ${shown}`)
    assert.deepEqual(message.context, { address: given, channel: 'email' })
  }
})
