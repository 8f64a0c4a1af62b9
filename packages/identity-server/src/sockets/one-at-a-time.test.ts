import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { boundedServer } from './bounded-server.ts'

const PATIENT = { timeout: 120_000 }
const REQUEST = 'GET / HTTP/1.1\r\n\r\n'

test('FLT-15 closes a connection that pipelines thousands of requests', PATIENT, async (t) => {
  let begun = 0
  let answers = false
  const listener = (_request: IncomingMessage, response: ServerResponse) => {
    begun += 1
    if (answers) response.end()
  }
  // No other limit closes it.
  const server = boundedServer(listener, { timeouts: { timeout: 0, responseTimeout: 600_000 } })
  let parsed = 0
  server.on('request', () => {
    parsed += 1
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const flooding = connect(port, '127.0.0.1').on('error', () => {})
  flooding.write(REQUEST.repeat(3_000))
  await once(flooding.resume(), 'close')
  assert.equal(begun, 1)
  assert.ok(parsed < 1_100, `${parsed} of the requests took memory`)
  answers = true
  const socket = connect(port, '127.0.0.1')
  socket.write(REQUEST.repeat(300))
  for (let text = ''; (text.match(/200 OK/g) ?? []).length < 300; )
    text += String((await once(socket, 'data'))[0])
  socket.destroy()
})
