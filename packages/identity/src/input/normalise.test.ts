import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap } from '../../test/input/processor-time.ts'
import { normalise, stacksMarks } from './normalise.ts'

const PASSWORD = 8 * 1024
/** Marks of two classes in the wrong order. */
const stack = (marks: number) => `${'\u0315'.repeat(marks / 2)}${'\u0300'.repeat(marks / 2)}`

test('SEC-63 no text takes long to normalise', async () => {
  const texts = [
    `a${stack(30_000)}`,
    `a${stack(PASSWORD - 2)}`,
    `a${stack(1026)}`.repeat(7),
    `a${'\uff9e'.repeat(4000)}${'\u0334'.repeat(4000)}`,
    `a${'\u{1d165}'.repeat(2000)}${'\u0334'.repeat(2000)}`,
    'ﷺ'.repeat(PASSWORD),
    'a\u0345\u0301\u0313'.repeat(2000),
  ]
  for (const text of texts) {
    await assertCheap(`${text.length} characters`, () => normalise('NFKC', text, PASSWORD))
    await assertCheap(`${text.length} characters`, () => stacksMarks(text))
  }
})

test('SEC-15 a password of 1,024 characters keeps its normal form', () => {
  // Each letter takes up to four code points; marks alone lose at most three.
  for (const text of [
    'α\u0313\u0300\u0345'.repeat(1024),
    `a${stack(1022)}`,
    '\u1112\u1161\u11ab'.repeat(1024),
  ])
    assert.equal(normalise('NFKC', text, PASSWORD), text.normalize('NFKC'))
  assert.equal([...'α\u0313\u0300\u0345'.repeat(1024).normalize('NFKC')].length, 1024)
})

test('SEC-63 every character that combines counts as a mark', () => {
  const combines = (character: string) =>
    [`\u0378${character}\u0334`, `\u0378\u0345${character}`].some((text) => text !== text.normalize('NFD'))
  const missed = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => combines(String.fromCodePoint(character.normalize('NFKD').codePointAt(0) ?? 0)))
    .filter((character) => !stacksMarks(character.repeat(31)))
  assert.deepEqual(missed, [])
  assert.equal(stacksMarks(`a${stack(30)}`), false)
})
