import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheap } from '../../test/input/processor-time.ts'
import { trustedProxies } from '../config/trusted-proxies.ts'
import { addressAndPort, canonicalAddress, clientAddress } from './client-address.ts'

const PROXY = '10.1.2.3'

const seen = (peer: string | undefined, forwarded: string | undefined, setting: number | string | string[]) =>
  clientAddress({ address: peer, header: () => forwarded }, trustedProxies.parse(setting))

test('SEC-43 uses the socket address without a trusted proxy', () => {
  for (const forwarded of [undefined, '', '203.0.113.9', '::1', 'a', 'x'.repeat(16_000), ', ,'])
    assert.equal(seen('198.51.100.7', forwarded, 0), '198.51.100.7', forwarded?.slice(0, 20))
  assert.equal(seen(undefined, '203.0.113.9', 3), undefined)
})

const chains: [name: string, forwarded: string | undefined, setting: number | string, address: string][] = [
  ['one proxy', '203.0.113.9', 1, '203.0.113.9'],
  ['what the client wrote itself', '1.1.1.1, 2.2.2.2, 203.0.113.9', 1, '203.0.113.9'],
  ['two proxies', '1.1.1.1, 203.0.113.9, 10.9.9.9', 2, '203.0.113.9'],
  ['fewer than counted', '203.0.113.9', 3, '203.0.113.9'],
  ['none was passed', undefined, 2, PROXY],
  ['networks', '1.1.1.1,203.0.113.9,10.9.9.9,10.8.8.8', '10.0.0.0/8', '203.0.113.9'],
  ['a single proxy’s address', '1.1.1.1, 203.0.113.9', PROXY, '203.0.113.9'],
  ['a peer outside the networks', '203.0.113.9', '192.168.0.0/16', PROXY],
  ['only proxies', '10.9.9.9, 10.8.8.8', '10.0.0.0/8', '10.9.9.9'],
  ['a port behind it', '203.0.113.9:4711', 1, '203.0.113.9'],
  ['an IPv6 address with a port', '[2001:DB8:0:0::9]:4711', 1, '2001:db8::9'],
  ['IPv4 within IPv6', '::ffff:203.0.113.9', 1, '203.0.113.9'],
]
for (const [name, forwarded, setting, address] of chains) {
  test(`SEC-43 reads X-Forwarded-For from the right: ${name}`, () => {
    assert.equal(seen(PROXY, forwarded, setting), address)
  })
}

test('SEC-43 stops at an invalid address', () => {
  const entries = [
    'a',
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '999.1.1.1',
    '0x7f.1',
    '1.2.3.4.5',
    '[::1',
    '::g',
    'é',
  ]
  for (const entry of [...entries, '9'.repeat(16_000)])
    assert.equal(seen(PROXY, `203.0.113.9, ${entry}`, 2), PROXY, entry.slice(0, 20))
})

test('SEC-43 counts every spelling of an address as one client', () => {
  const spellings = [
    '2001:db8::1',
    '2001:0db8:0000:0000:0000:0000:0000:0001',
    '2001:DB8::0:1',
    '[2001:db8::1]:80',
  ]
  assert.deepEqual([...new Set(spellings.map(canonicalAddress))], ['2001:db8::1'])
  const mapped = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '::FFFF:C000:0201', '192.0.2.1:80']
  assert.deepEqual([...new Set(mapped.map(canonicalAddress))], ['192.0.2.1'])
  assert.equal(canonicalAddress('fe80::1%eth0'), 'fe80::1')
})

test('SEC-39 parses any 16 KB header cheaply', async () => {
  for (const part of [',', ' ', '10.0.0.1,', '[', ']', ':', '1', '.', '1.1.1.1:', 'f'])
    await assertCheap(part, () => seen(PROXY, part.repeat(16_000 / part.length), '10.0.0.0/8'))
})

test('accepts a proxy count or networks', () => {
  assert.equal(trustedProxies.parse('2'), 2)
  assert.deepEqual(trustedProxies.parse('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1/128'])
  for (const wrong of ['', '10.0.0.0/33', 'proxy.example', 'all', '-1', '33', -1, 1.5, ['10.0.0.0/8', 'x']])
    assert.equal(trustedProxies.safeParse(wrong).success, false, String(wrong))
})

test('writes an IPv6 address with a port in brackets', () => {
  assert.equal(addressAndPort('192.0.2.1', 80), '192.0.2.1:80')
  assert.equal(addressAndPort('2001:db8::1', 80), '[2001:db8::1]:80')
})
