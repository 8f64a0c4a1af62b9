import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { readableAddresses } from './readable-address.ts'

const READABLE = [
  'exämple.com',
  'bücher.exämple.com',
  'jõgeva.ee',
  'łódź.pl',
  'strøm-42.no',
  'faß.example',
  'việtnam.vn',
  'παράδειγμα.example',
  'почта.рф',
  'пример.example',
  'مثال.example',
  'דוגמה.example',
  'उदाहरण.example',
  'ตัวอย่าง.example',
  '例え.テスト',
  'メール.example',
  '中文.example',
  '메일.example',
]

for (const domain of READABLE) {
  test(`an address at ${domain} is readable in every spelling`, () => {
    const ascii = domainToASCII(domain)
    const capitals = ascii.replaceAll(/xn--[^.]+/g, (label) => label.toUpperCase())
    for (const spelled of [domain, ascii, capitals])
      assert.equal(readableAddresses(`Ada@${spelled}`), `Ada@${domain}`)
  })
}

const IMITATIONS = [
  'аррӏе.com',
  'pаypal.com',
  'gοοgle.com',
  'ορια.com',
  'faceboоk.com',
  'paypaı.com',
  'þaypal.com',
  'ɡoogle.com',
  'appleл.com',
  'comノlogin.example',
  'i❤.ws',
  'x̂ample.com',
  'مثال٣٤.example',
]

for (const domain of IMITATIONS) {
  test(`SEC-121 an address at ${domain} stays in Punycode`, () => {
    const ascii = domainToASCII(domain)
    assert.match(ascii, /xn--/)
    for (const spelled of [domain, ascii]) assert.equal(readableAddresses(`ada@${spelled}`), `ada@${ascii}`)
  })
}

test('other text stays as it is', () => {
  const texts = [
    '',
    'ada',
    '+49151',
    'ada@example.com',
    'Ada@EXAMPLE.com',
    'xn--exmple-cua.com',
    'a@xn--',
    'a@xn--ä',
  ]
  assert.deepEqual(texts.map(readableAddresses), texts)
})

test('an address within a sentence is readable', () => {
  assert.equal(
    readableAddresses('Mail “ad****@xn--exmple-cua.com”, or öda@xn--80ak6aa92e.com.'),
    'Mail “ad****@exämple.com”, or öda@xn--80ak6aa92e.com.',
  )
})

test('Punycode is decoded as Node decodes it, and any text is accepted', () => {
  const label = fc.string({ unit: fc.constantFrom(...'abzäöüßéñçøåãõ'), minLength: 1, maxLength: 24 })
  fc.assert(
    fc.property(label, (unicode) => {
      const ascii = domainToASCII(`x${unicode}.example`)
      assert.equal(readableAddresses(`ada@${ascii}`), `ada@${domainToUnicode(ascii)}`)
    }),
  )
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'a9-.zб') }))
  fc.assert(fc.property(text, (rest) => typeof readableAddresses(`a@xn--${rest}`) === 'string'))
})
