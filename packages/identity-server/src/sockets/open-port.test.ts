import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { until } from '@ostiary/identity/testing/kit/until'
import { closePorts, openPort, type Port, PortError, portOf } from './listen.ts'

const FILE = Buffer.alloc(2 ** 20, 'x')
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

test('a client that pipelines 1,600 requests and reads nothing gets a few responses', async () => {
  let begun = 0
  await using server = await start((_request, response) => {
    begun++
    response.end(FILE)
  })
  const socket = server.connect()
  const before = process.memoryUsage().arrayBuffers
  socket.pause().write(GET.repeat(1_600))
  await delay(300)
  // Kernels buffer some megabytes.
  assert.ok(begun < 40, `${begun} answers begun`)
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * FILE.length)
  socket.destroy()
})

test('answers pipelined requests in order', async () => {
  const running = { now: 0, most: 0 }
  await using server = await start(async (request, response) => {
    running.most = Math.max(running.most, ++running.now)
    if (request.url === '/0') await delay(100)
    for await (const _ of request);
    running.now--
    response.end(`<${request.url}>`)
  })
  const socket = server.connect()
  const asked = Array.from({ length: 300 }, (_, n) => `/${n}`)
  // Split within a body.
  const post = 'POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n'
  socket.write(asked.map((path) => GET.replace('/', path)).join('') + post)
  await delay(50)
  socket.write(`body${GET.replace('/', '/last').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
  const answered = [...(await textOf(socket)).matchAll(/<(.*?)>/g)].map(([, path]) => path)
  assert.deepEqual(answered, [...asked, '/post', '/last'])
  assert.equal(running.most, 1)
})

test('disconnects a client that does not read its response', async () => {
  let begun = 0
  const listener: RequestListener = (_request, response) => {
    begun++
    response.end(Buffer.alloc(2 ** 25))
  }
  await using server = await start(listener, { timeouts: { timeout: 150 } })
  const socket = server.connect()
  socket.pause().write(GET)
  await until(async () => begun === 1 && (await server.connections()) === 0)
  socket.destroy()
})

test('FLT-17 disconnects a client that reads its response too slowly', async () => {
  let begun = 0
  const listener: RequestListener = (_request, response) => {
    begun++
    response.end(Buffer.alloc(2 ** 26))
  }
  const timeouts = { timeout: 10_000, responseTimeout: 300, connectionsCheckingInterval: 50 }
  await using server = await start(listener, { timeouts })
  const socket = server.connect()
  const sips = setInterval(() => socket.read(65_536), 20)
  socket.on('readable', () => {}).write(GET)
  await until(async () => begun === 1 && (await server.connections()) === 0)
  clearInterval(sips)
  socket.destroy()
})

test('FLT-17 only a request that is still uploading to a path with large bodies has more time', async () => {
  const timeouts = { requestTimeout: 300, connectionsCheckingInterval: 50 }
  const uploads = { longest: 60_000, of: (target: string) => (target.startsWith('/photos') ? 60_000 : 0) }
  const listener: RequestListener = (request, response) => {
    if (request.url?.endsWith('/refused')) response.writeHead(401).end()
  }
  await using server = await start(listener, { timeouts, uploads })
  const send = (line: string, ...more: string[]) => {
    const socket = server.connect().resume()
    socket.write([`${line} HTTP/1.1`, 'Host: a', 'Content-Length: 9000', ...more, '', ''].join('\r\n'))
    return socket
  }
  const upload = send('POST /photos')
  const others = [
    send('POST /login'),
    send('POST /login', 'Expect: nothing'),
    send('GET /login'),
    send('POST /photos/refused'),
  ]
  const drip = setInterval(() => [upload, ...others].map((socket) => socket.write('x')), 20)
  // `once` would reject if a reset comes first.
  await Promise.all(others.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  assert.equal(await server.connections(), 1)
  clearInterval(drip)
  upload.destroy()
})

test("closes connections beyond an address's limit", async () => {
  const refused: string[] = []
  await using server = await start((_request, response) => response.end('<ok>'), {
    limits: { total: 100, perAddress: 3 },
    onRefusal: (network) => refused.push(network),
  })
  const kept = [server.connect(), server.connect(), server.connect()]
  // The sockets accept in any order.
  await until(async () => (await server.connections()) === 3)
  assert.equal(await textOf(server.connect()), '')
  assert.deepEqual(refused, ['127.0.0.1'])
  kept[0]?.destroy()
  await until(async () => (await server.connections()) === 2)
  const next = server.connect()
  next.write(GET)
  assert.match(String((await once(next, 'data'))[0]), /<ok>/)
  for (const socket of [...kept, next]) socket.destroy()
})

test('reports a taken port with the setting to change', async () => {
  await using server = await start((_request, response) => response.end())
  await assert.rejects(
    start(() => {}, { port: server.port, settings: { port: 'ADMIN_PORT', host: 'ADMIN_HOST' } }),
    (error) => {
      assert.ok(error instanceof PortError)
      const { message } = error
      assert.match(
        message,
        new RegExp(`^Port ${server.port} is used by another program.*set ADMIN_PORT to a free port`),
      )
      return true
    },
  )
})

interface Started extends AsyncDisposable {
  readonly port: number
  connect(): Socket
  connections(): Promise<number>
}

async function start(listener: RequestListener, options: Partial<Port> = {}): Promise<Started> {
  const settings = { port: 'PORT', host: 'LISTEN_HOST' }
  const servers = await openPort(listener, { port: 0, hosts: ['127.0.0.1'], settings, ...options })
  const bound = portOf(servers)
  return {
    port: bound,
    connect: () => connect(bound, '127.0.0.1').on('error', () => {}),
    connections: async () => {
      const counts = servers.map((one) => promisify(one.getConnections.bind(one))())
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    [Symbol.asyncDispose]: () => closePorts(servers, { drain: 0, grace: 0 }),
  }
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
