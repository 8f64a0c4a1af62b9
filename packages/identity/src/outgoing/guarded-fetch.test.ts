import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { listenOnLoopback } from '../../test/servers/loopback.ts'
import { guardedFetch, isPublicAddress, PrivateAddressError } from './guarded-fetch.ts'

test('FLT-09 connects to no spelling of a private address', async (t) => {
  const { port, seen } = await startCanary(t)
  const guarded = guardedFetch({ disallow_private_ip_ranges: true, private_ip_exception_urls: [] })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
  ]
  for (const host of hosts) {
    await assert.rejects(guarded(`http://${host}:${port}/`), PrivateAddressError, host)
  }
  assert.deepEqual(seen, [])
})

test('FLT-09 refuses a name that now resolves to a private address', async (t) => {
  const { port, seen } = await startCanary(t)
  let asked = 0
  const guarded = guardedFetch(
    { disallow_private_ip_ranges: true, private_ip_exception_urls: [] },
    (_name, _options, done) => {
      asked += 1
      done(null, [{ address: '127.0.0.1', family: 4 }])
    },
  )
  await assert.rejects(guarded(`http://public.test:${port}/`), PrivateAddressError)
  // The socket does no second look-up, which could resolve differently.
  assert.deepEqual([asked, seen], [1, []])
})

test('only an exception can be reached', async (t) => {
  const { port, seen } = await startCanary(t)
  const base = `http://127.0.0.1:${port}`
  const guard = { disallow_private_ip_ranges: true, private_ip_exception_urls: [`${base}/hooks/**`] }
  const guarded = guardedFetch(guard)
  const sending = { method: 'PATCH', body: 'words', headers: { 'X-Key': 'k' }, redirect: 'manual' as const }
  const answer = await guarded(`${base}/hooks/after?x=1`, sending)
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/elsewhere'])
  assert.equal(await answer.text(), 'k words')
  await assert.rejects(guarded(`${base}/other`), PrivateAddressError)
  assert.deepEqual(seen, ['PATCH /hooks/after?x=1'])
})

test('aborts a request that takes too long, also in the middle of its response', async (t) => {
  const { port } = await startCanary(t)
  const base = `http://127.0.0.1:${port}`
  const guarded = guardedFetch({
    disallow_private_ip_ranges: true,
    private_ip_exception_urls: [`${base}/**`],
  })
  const ended = new AbortController()
  const answer = await guarded(`${base}/endless`, { signal: ended.signal })
  ended.abort(new Error('over'))
  await assert.rejects(answer.text())
})

test('reaches private addresses where they are allowed', async (t) => {
  const { port, seen } = await startCanary(t)
  const open = guardedFetch({ disallow_private_ip_ranges: false, private_ip_exception_urls: [] })
  await (await open(`http://127.0.0.1:${port}/`, { redirect: 'manual' })).text()
  assert.deepEqual(seen, ['GET /'])
})

async function startCanary(t: TestContext) {
  const seen: string[] = []
  const { port, close } = await listenOnLoopback((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/endless') return void response.write('begun')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(302, { location: '/elsewhere' })
      response.end(`${request.headers['x-key']} ${Buffer.concat(chunks)}`)
    })
  })
  t.after(close)
  return { port, seen }
}

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

test('FLT-09 an address at which a cloud serves its own machines is not public', () => {
  const addresses = [
    ...['168.63.129.16', '169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192'],
    ...['199.36.153.4', '199.36.153.11', '34.126.0.1', '161.26.0.10', '166.11.255.255'],
    ...['fd00:ec2::254', 'fd20:ce::254', '2001:4860:8040::1', '2600:2d00:2:1000::', '2600:2d00:2:2000::'],
  ]
  assert.deepEqual(addresses.filter(isPublicAddress), [])
  const neighbours = ['168.63.129.15', '168.63.129.17', '199.36.153.3', '199.36.153.12', '161.27.0.1']
  assert.deepEqual(neighbours.filter(isPublicAddress), neighbours)
})

test('a text that is not an address is not public', () => {
  assert.deepEqual(['', 'localhost', '1.1.1', '0x7f.1', '1.1.1.1.'].filter(isPublicAddress), [])
})
