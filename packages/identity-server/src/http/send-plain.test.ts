import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sendPlain } from './send-plain.ts'

test('writes the responses of a turn together, sixteen at a time', async () => {
  const responses = send(20, 200)
  await Promise.resolve()
  assert.equal(sent(responses), 16)
  await nextTurn()
  assert.equal(sent(responses), 20)
})

test('writes a single response at the end of the turn', async () => {
  const responses = send(1, 200)
  await nextTurn()
  assert.equal(sent(responses), 1)
})

test('a rejection is written at once', () => {
  assert.equal(sent(send(1, 503)), 1)
})

function send(count: number, status: number): ServerResponse[] {
  return Array.from({ length: count }, (_, index) => {
    const request = new IncomingMessage(new Socket())
    const response = new ServerResponse(request)
    const found = { route: '/', status, headers: { B: `${index}` }, body: '' }
    void sendPlain(request, response, found, { baseHeaders: { A: '1' } })
    return response
  })
}

function sent(responses: readonly ServerResponse[]): number {
  return responses.filter(({ headersSent }) => headersSent).length
}
