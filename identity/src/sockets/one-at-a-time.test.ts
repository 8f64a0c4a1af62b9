import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { boundedServer } from './bounded-server.ts'

const REQUEST = 'GET / HTTP/1.1\r\n\r\n'

test('FLT-15 a connection that brings more requests than may wait for a response is closed', async (t) => {
  let begun = 0
  let answers = false
  const server = boundedServer((_request, response) => {
    begun += 1
    if (answers) response.end()
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const flooding = connect(port, '127.0.0.1').on('error', () => {})
  flooding.write(REQUEST.repeat(3_000))
  await once(flooding.resume(), 'close')
  assert.equal(begun, 1)
  answers = true
  const socket = connect(port, '127.0.0.1')
  socket.write(REQUEST.repeat(33))
  for (let text = ''; (text.match(/200 OK/g) ?? []).length < 33; )
    text += String((await once(socket, 'data'))[0])
  socket.destroy()
})
