import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { assertCheap } from '@ostiary/identity/testing/input/processor-time'
import { until } from '@ostiary/identity/testing/kit/until'
import { closePorts } from '@ostiary/identity-server'
import { signUp, startTestProduct, type TestProduct } from '../../test/product.ts'

let product: TestProduct

before(async () => {
  product = await startTestProduct()
})
after(() => product[Symbol.asyncDispose]())

const raw = async (text: string) => (await product.connect(text)).everything
const statusOf = (answer: string) => answer.slice(9, 12)

test('FLT-15 refuses large bodies, headers and URLs and closes the connection', async () => {
  const post =
    'POST /.ory/self-service/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  const large = await raw(`${post}Content-Length: 100000000\r\n\r\n{`)
  assert.equal(statusOf(large), '413')
  assert.match(large, /connection: close/i)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  assert.equal(statusOf(await raw(`${post}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`)), '413')
  assert.equal(
    statusOf(await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)),
    '431',
  )
  assert.equal(statusOf(await raw(`GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)), '414')
})

test('FLT-15 answers a client that sends on before it reads', async () => {
  const socket = connect(product.port, '127.0.0.1').on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
  for (let sent = 0; sent < 10; sent += 1) {
    await delay(10)
    socket.write('x'.repeat(20_000))
  }
  const [answer] = await once(socket, 'data')
  assert.equal(statusOf(String(answer)), '431')
  socket.destroy()
})

test('FLT-15 a body in thousands of pieces costs little', async () => {
  const head = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  for (const [method, path] of [
    ['POST', '/.ory/self-service/login'],
    ['POST', '/nowhere'],
    ['GET', '/'],
  ] as const) {
    await assertCheap(`${method} ${path}`, async () => {
      const { socket, everything } = await product.connect(
        `${head(method, path)}${'1\r\na\r\n'.repeat(60_000)}0\r\n\r\n`,
      )
      socket.end()
      await everything
    })
  }
  const flow = (await (await product.fetch('/.ory/self-service/registration/api')).json()) as { id: string }
  const body = JSON.stringify({
    method: 'password',
    password: 'x',
    traits: { email: `${'a'.repeat(300)}@x.yz` },
  })
  const pieces = [...body].map((letter) => `1\r\n${letter}\r\n`).join('')
  const answer = await raw(
    `${head('POST', `/.ory/self-service/registration?flow=${flow.id}`)}${pieces}0\r\n\r\n`,
  )
  assert.equal(statusOf(answer), '400')
  assert.match(answer, /traits\.email/)
})

test('an aborted upload is not logged as an error', async () => {
  for (const path of ['/.ory/self-service/login', '/csp-report']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
    for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const { socket } = await product.connect(`${head}${length}\r\n\r\n`)
      socket.write(length.startsWith('T') ? '5\r\n{"a":\r\n' : '{"a":')
      await delay(50)
      socket.destroy()
    }
  }
  await delay(100)
  assert.deepEqual(
    product.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('FLT-15 a hundred uploads do not stay in memory', async () => {
  const before = process.memoryUsage().rss
  const upload = async () => {
    const { socket, everything } = await product.connect(
      'POST /.ory/self-service/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`
    for (let sent = 0; sent < 8 && !socket.destroyed && socket.write(chunk); sent++) await delay(1)
    return statusOf(await everything)
  }
  const statuses = await Promise.all(Array.from({ length: 100 }, upload))
  const refusals = ['413', '408', '']
  assert.deepEqual(
    statuses.filter((status) => !refusals.includes(status)),
    [],
  )
  const growth = (process.memoryUsage().rss - before) / 2 ** 20
  assert.ok(growth < 150, `${growth} MB, the client's own buffers included`)
})

const oddBodies: [string, string | Uint8Array, string][] = [
  ['cut JSON', '{"method":', 'application/json'],
  ['a byte order mark', '\ufeff{', 'application/json'],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'application/json'],
  ['a lone surrogate', '{"method":"\\ud800"}', 'application/json'],
  ['a NUL', '{"method":"pass\\u0000word","identifier":"\\u0000"}', 'application/json'],
  ['a list', '[1,2,3]', 'application/json'],
  ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'application/json'],
  [
    'a thousand fields',
    JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]))),
    'application/json',
  ],
  ['another content type', '<a/>', 'application/xml'],
  ['a wrong charset', '{}', 'application/json; charset=ebcdic'],
  ['a form of nonsense', '%%%=%zz&&&=', 'application/x-www-form-urlencoded'],
]
for (const [name, body, type] of oddBodies) {
  test(`FLT-16 ${name} is a client error`, async () => {
    const flow = (await (await product.fetch('/.ory/self-service/login/api')).json()) as { id: string }
    const response = await product.fetch(`/.ory/self-service/login?flow=${flow.id}`, {
      method: 'POST',
      headers: { 'content-type': type, accept: 'application/json' },
      body,
    })
    assert.ok(response.status >= 400 && response.status < 500, String(response.status))
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  })
}

test('answers a health check by HTTP/1.0', async () => {
  assert.equal(statusOf(await raw('GET /health/ready HTTP/1.0\r\n\r\n')), '200')
})

test('FLT-16 a request that is not HTTP gets 400 with the usual headers', async () => {
  const heads = ['', 'Host: a b\r\n', 'Host: localhost\r\nhost: evil.test\r\n']
  const requests = ['/', '/.ory/sessions/whoami'].flatMap((path) =>
    heads.map((head) => `GET ${path} HTTP/1.1\r\n${head}\r\n`),
  )
  const old = 'GET / HTTP/1.0\r\nHost: localhost\r\nHost: evil.test\r\n\r\n'
  for (const text of ['nonsense\r\n\r\n', old, ...requests]) {
    const answer = await raw(text)
    assert.equal(statusOf(answer), '400', text)
    assert.match(answer, /x-content-type-options: nosniff/i)
  }
})

test('FLT-16 a user name in the target is ignored, and not logged', async () => {
  const answer = await raw(
    'POST http://user:secret@localhost/csp-report HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  )
  assert.match(statusOf(answer), /^[24]/)
  assert.doesNotMatch(JSON.stringify(product.log.lines), /secret/)
})

test('FLT-17 disconnects a client that sends byte by byte', async () => {
  const timeouts = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 }
  await using impatient = await startTestProduct({}, timeouts)
  const slowHeaders = await impatient.connect('GET / HTTP/1.1\r\nHost: localhost\r\n')
  const slowBody = await impatient.connect(
    'POST /.ory/self-service/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n',
  )
  const drip = setInterval(() => {
    slowHeaders.socket.write('X: y\r\n')
    slowBody.socket.write('x')
  }, 50)
  await until(() =>
    impatient.fetch('/health/alive').then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  await slowHeaders.everything
  await slowBody.everything
  clearInterval(drip)
})

test('FLT-17 disconnects a slow client that never closes its side', async () => {
  const timeouts = { headersTimeout: 300, connectionsCheckingInterval: 50 }
  await using impatient = await startTestProduct({}, timeouts)
  const socket = connect({ port: impatient.port, host: '127.0.0.1', allowHalfOpen: true }).resume()
  const gone = once(socket, 'error')
  socket.write('GET / HTTP/1.1\r\n')
  const drip = setInterval(() => socket.write('X: y\r\n'), 50)
  await Promise.race([gone, delay(10_000).then(() => assert.fail('it is still connected'))])
  clearInterval(drip)
})

test('FLT-18 keeps two hundred connections open', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const ask = async () => {
    const [response] = await once(get(`${product.base}/health/alive`, { agent }), 'response')
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }
  for (let round = 0; round < 5; round++) {
    const statuses = await Promise.all(Array.from({ length: 200 }, ask))
    assert.ok(statuses.every((status) => status === 200))
  }
  const counts = await Promise.all(
    product.servers.map((server) => promisify(server.getConnections.bind(server))()),
  )
  assert.ok(counts.reduce((sum, count) => sum + count, 0) >= 200, counts.join(' '))
  agent.destroy()
})

test('a stopping server finishes requests and closes idle connections', async () => {
  await using stopped = await startTestProduct()
  const idle = await stopped.connect('GET /health/alive HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(idle.socket, 'data')
  const head = 'Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue'
  const running = await stopped.connect(`POST /csp-report HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n[`)
  await once(running.socket, 'data')
  assert.equal((await stopped.fetch('/health/ready')).status, 200)
  stopped.beginToStop()
  const ready = await stopped.fetch('/health/ready')
  assert.equal(ready.status, 503)
  assert.equal(ready.headers.get('connection'), 'close')
  const closed = closePorts(stopped.servers, { drain: 0, grace: 5_000 })
  await idle.everything
  await assert.rejects(fetch(`${stopped.base}/health/alive`))
  running.socket.write(']')
  assert.match(await running.everything, /HTTP\/1\.1 204/)
  await closed
})

test('a log line identifies the request without its secrets', async () => {
  const token = await signUp(product, 'carl@example.com')
  await product.fetch('/.ory/sessions/whoami?tokenize_as=my_app_jwt&secret=TEST_ONLY_query', {
    headers: { 'x-session-token': token, cookie: 'user_jwt=TEST_ONLY_cookie' },
  })
  const [mail] = await product.identity.listMails(1)
  const code = /\d{6}/.exec(mail?.subject ?? '')?.[0] ?? 'no code'
  await delay(20)
  const text = JSON.stringify(product.log.lines)
  for (const secret of [
    token,
    code,
    'TEST_ONLY_query',
    'TEST_ONLY_cookie',
    'a long enough passphrase',
    'carl@example.com',
  ])
    assert.ok(!text.includes(secret), secret)
  const line = product.log.lines.findLast(({ message }) => message === 'request')?.fields ?? {}
  assert.deepEqual(Object.keys(line), [
    'request_id',
    'client_address',
    'method',
    'path',
    'status',
    'duration_ms',
  ])
})

test('SEC-66 cuts a long path in the log', async () => {
  await raw(`GET /${'p'.repeat(7000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const paths = () =>
    product.log.lines.flatMap(({ fields }) => ('path' in fields ? [String(fields.path)] : []))
  await until(() => paths().some((path) => path.startsWith('/ppp')))
  assert.equal(paths().find((path) => path.startsWith('/ppp'))?.length, 512)
})
