import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './device-address.ts'

const addresses = [
  ['192.0.2.7:51034', '192.0.2.7'],
  ['192.0.2.7', '192.0.2.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[::1]:443', undefined],
  ['127.0.0.1', undefined],
  ['somewhere', undefined],
  [undefined, undefined],
] as const

for (const [text, address] of addresses) {
  test(`reads ${address} from ${text}`, () => assert.equal(addressOf(text), address))
}
