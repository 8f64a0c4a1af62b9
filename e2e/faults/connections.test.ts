import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { until } from '@ostiary/identity/testing/kit/until'
import { openConnection, requestText } from '../../bench/connection.ts'
import { assertStatuses, atMost, fault, figuresOf } from './fault.ts'
import { afterLine } from './linux.ts'
import { addressOf, beginLoad, register, repeat, whoami } from './load.ts'
import { newPlace, processFigures, type Replica, signedIn } from './product.ts'

fault('FLT-17 slow clients are disconnected and delay no other', async (report) => {
  await using place = await newPlace()
  const replica = await place.start()
  const token = await signedIn(replica)
  const slow = runs(100, 1_000)
  const began = performance.now()
  const post = 'POST /.ory/self-service/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n'
  const sockets = await openAll(replica.port, slow)
  for (const [n, socket] of sockets.entries()) socket.write(n % 2 === 0 ? 'GET / HTTP/1.1\r\nX: ' : post)
  const drip = setInterval(() => {
    for (const socket of sockets) socket.write('x')
  }, 1_000)
  const load = beginLoad(4, (_turn, from) => whoami(replica.port, token, from))
  await until(() => sockets.every(({ closed }) => closed))
  clearInterval(drip)
  const answers = await load.stop()
  assertStatuses(answers, 200)
  report({ ...figuresOf(answers), recoveryMs: performance.now() - began, ...(await processFigures(replica)) })
})

fault('FLT-18 ten thousand open connections do not slow down session look-ups', async (report) => {
  const count = runs(1_000, 10_000)
  await using place = await newPlace({ MAX_CONNECTIONS: String(count + 1_000) })
  const replica = await place.start()
  const token = await signedIn(replica)
  const alone = await lookUps(replica, token)
  const sockets = await openAll(replica.port, count)
  // A silent connection is closed after seconds.
  for (const socket of sockets) socket.write(requestText(replica.port, 'GET', '/health/alive'))
  await until(() => sockets.every(({ bytesRead }) => bytesRead > 0))
  await processFigures(replica)
  const crowded = await lookUps(replica, token)
  const figures = { ...figuresOf(crowded), ...(await processFigures(replica)) }
  report(figures)
  assert.deepEqual(sockets.filter(({ closed }) => closed).length, 0)
  assertStatuses(crowded, 200)
  assert.ok(figures.rssMb < 350, `${figures.rssMb} MB`)
  // Least affected by other programs.
  const ratio = (figures.p50 ?? 0) / (figuresOf(alone).p50 ?? 1)
  assert.ok(ratio < atMost(3), `a look-up takes ${ratio} times as long`)
  for (const socket of sockets) socket.destroy()
})

fault(
  'FLT-30 the server survives running out of file descriptors and accepts connections afterwards',
  async (report) => {
    await using place = await newPlace()
    const replica = await place.start({}, { through: afterLine('ulimit -n 256') })
    const token = await signedIn(replica)
    const connection = await openConnection(replica.port)
    const lookUp = requestText(replica.port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': token })
    assert.equal((await connection.exchange(lookUp)).status, 200)
    const sockets = await openAll(replica.port, 400)
    await until(async () => {
      assert.equal((await connection.exchange(lookUp)).status, 200)
      return sockets.filter(({ closed }) => closed).length > 100
    })
    for (const socket of sockets) socket.destroy()
    const over = performance.now()
    await until(async () => (await register(replica.port, 'after@example.com').catch(() => 0)) === 200)
    report({ recoveryMs: performance.now() - over, ...(await processFigures(replica)) })
    connection.close()
    await replica.stop()
    assert.equal(await replica.exit, 0)
  },
)

async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const localAddress = addressOf(Math.floor(sockets.length / 100))
    const socket = connect({ port, host: '127.0.0.1', localAddress })
      .on('error', () => {})
      .resume()
    sockets.push(socket)
    if (sockets.length % 100 === 0)
      await Promise.race([new Promise((done) => socket.once('connect', done)), delay(1_000)])
  }
  return sockets
}

const LOOK_UPS = 300

async function lookUps({ port }: Replica, token: string) {
  const connection = await openConnection(port)
  const request = requestText(port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': token })
  const answers = await repeat(LOOK_UPS, async () => (await connection.exchange(request)).status)
  connection.close()
  return answers
}
