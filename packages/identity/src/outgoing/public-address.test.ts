import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

test('an address of the internet is public', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700:4700::1111',
  ]
  assert.deepEqual(
    addresses.filter((address) => !isPublicAddress(address)),
    [],
  )
})

test('FLT-09 an address of this machine or network, or for a special purpose, is not public', () => {
  const addresses = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.0.2.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
    ...['2001::1', '2001:db8::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'ff02::1'],
  ]
  assert.deepEqual(addresses.filter(isPublicAddress), [])
})

test('a text that is not an address is not public', () => {
  assert.deepEqual(['', 'localhost', '1.1.1', '0x7f.1', '1.1.1.1.'].filter(isPublicAddress), [])
})
