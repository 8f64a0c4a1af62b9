import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap } from '../../../test/input/processor-time.ts'
import { isPhone, loadPhoneNumbers, phoneNumber } from '../../input/phone-number.ts'
import { isEmail } from './formats.ts'

await loadPhoneNumbers()

const GOOD = [
  'ada@example.com',
  'Ada.Lovelace+news@sub.example.co.uk',
  "o'brien@example.com",
  'a@b',
  'admin@localhost',
  'x_y-z!#$%&*/=?^`{|}~@example.com',
  'ada@xn--tda.example',
  'jürgen@münchen.example',
  'δοκιμή@παράδειγμα.example',
  `${'x'.repeat(64)}@${'x'.repeat(61)}.${'y'.repeat(61)}.${'z'.repeat(61)}.com`,
]

const HOSTILE = [
  '',
  ' ',
  'ada',
  '@example.com',
  'ada@',
  'ada@@example.com',
  'ada@evil.test@example.com',
  'ada@example.com,eve@evil.test',
  'ada@example.com;eve@evil.test',
  'ada@example.com eve@evil.test',
  'ada@example.com, eve@evil.test',
  '"ada@evil.test"@example.com',
  '"ada@evil.test x"@example.com',
  '"ada"@example.com',
  '"ada lovelace"@example.com',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  'ada@example.com <eve@evil.test>',
  'ada(comment)@example.com',
  'ada@(comment)example.com',
  'ada@example.com(comment)',
  'team:ada@example.com,eve@evil.test;',
  'ada@example.com\r\nBcc: eve@evil.test',
  'ada@example.com\nRCPT TO:<eve@evil.test>',
  'ada\r@example.com',
  'ada@example.com\0',
  'ada\0@example.com',
  'ada\ufe0f@example.com',
  '\u3164ada@example.com',
  'ada\\@evil.test@example.com',
  'ada\\@example.com',
  ' ada@example.com',
  'ada@example.com ',
  'ada @example.com',
  'ada@ example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada@.example.com',
  'ada@example.com.',
  'ada@example..com',
  'ada@-example.com',
  'ada@example-.com',
  'ada@[127.0.0.1]',
  'ada@127.0.0.1',
  'ada@example.123',
  'ada@exa_mple.com',
  'ada@example.com>',
  'ada＠example.com',
  'ada@ｅxample.com',
  'ada@ﬁne.example',
  'ada@example。com',
  'ada\u200b@example.com',
  'ada\u202e@example.com',
  'ada@exam\u00adple.com',
  `${'x'.repeat(65)}@example.com`,
  `${'x'.repeat(64)}@${'x'.repeat(62)}.${'y'.repeat(61)}.${'z'.repeat(61)}.com`,
  `ada@${'x'.repeat(64)}.com`,
  `ada@${'x.'.repeat(150)}com`,
]

for (const address of GOOD) {
  test(`accepts the address ${JSON.stringify(address.slice(-40))}`, () => {
    assert.equal(isEmail(address), true)
  })
}

for (const address of HOSTILE) {
  test(`SEC-09 rejects ${JSON.stringify(address.slice(0, 45))} as an email address`, () => {
    assert.equal(isEmail(address), false)
  })
}

test('SEC-10 quickly rejects an address that is slow to parse', async () => {
  for (const part of ['(', '<', ',', '@', 'a.', '-', 'ü.', '"']) {
    for (const address of [part.repeat(65_536), `a@${part.repeat(65_536)}`])
      await assertCheap(address.slice(0, 20), () => assert.equal(isEmail(address), false))
  }
})

test('requires a country code and accepts any grouping of a phone number', () => {
  assert.equal(phoneNumber('+44 20 7946-0958'), '+442079460958')
  assert.equal(phoneNumber('+1 (415) 555.0100'), '+14155550100')
  for (const none of [
    '',
    '020 7946 0958',
    '+0123456789',
    '+44',
    '+44 20 7946 0958 ext 2',
    '+1234567890123456',
  ]) {
    assert.equal(isPhone(none), false, none)
  }
})
