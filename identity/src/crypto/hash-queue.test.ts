import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ProtocolError } from '../errors.ts'
import type { Turn } from './hash-queue.ts'
import { createHashQueue } from './hash-queue.ts'

/** A queue whose work ends when it is told to. */
function slowQueue(atOnce: number, places: number) {
  const queue = createHashQueue(atOnce, places)
  const finish: (() => void)[] = []
  const work = () => new Promise<string>((resolve) => finish.push(() => resolve('done')))
  const refused: unknown[] = []
  return {
    queue,
    refused,
    finish,
    enter(turn: Turn) {
      return queue.run(turn, work).catch((error: unknown) => {
        refused.push(error)
        return 'refused'
      })
    },
  }
}

test('SEC-46 at most four of one client wait, and others find their places', async () => {
  const { enter, refused, finish } = slowQueue(2, 20)
  const flood = Array.from({ length: 110 }, () => enter({ client: 'a' }))
  await delay(1)
  assert.equal(refused.length, 110 - 2 - 4)
  assert.ok(refused.every((error) => error instanceof ProtocolError && error.parts.status === 503))
  assert.ok(refused.every((error) => (error as ProtocolError).parts.retryAfter === 1))
  const other = enter({ client: 'b' })
  for (let n = 0; n < 7; n++) {
    await delay(1)
    finish.shift()?.()
  }
  assert.equal(await other, 'done')
  await Promise.all(flood)
})

test('SEC-46 a part of the places is for clients that have signed in before', async () => {
  const { enter, refused, finish } = slowQueue(1, 10)
  const others = Array.from({ length: 20 }, (_, n) => enter({ client: `stranger ${n}` }))
  await delay(1)
  assert.equal(refused.length, 20 - 1 - 8)
  const known = [enter({ client: 'c', known: true }), enter({ client: 'd', known: true })]
  await delay(1)
  assert.equal(refused.length, 11)
  while (finish.length > 0) {
    finish.shift()?.()
    await delay(1)
  }
  assert.deepEqual(await Promise.all(known), ['done', 'done'])
  await Promise.all(others)
})

test('FLT-21 forms that a flood opens keep their places for a second, and without a flood none', async () => {
  const { queue, enter, finish } = slowQueue(1, 10)
  const opening = Array.from({ length: 100 }, (_, n) => queue.expectForm(`visitor ${n}`))
  assert.equal(queue.isFull(), false)
  for (const sent of opening) sent()
  assert.equal(queue.isFull(), false)
  const waiting = Array.from({ length: 5 }, (_, n) => enter({ client: `user ${n}` }))
  await delay(1)
  for (let n = 0; n < 4; n++) queue.expectForm(n === 0 ? 'another user' : `visitor ${n}`)()
  assert.equal(queue.isFull(), true)
  // The password of one of these forms takes its place.
  waiting.push(enter({ client: 'another user' }))
  assert.equal(queue.isFull(), true)
  await delay(1001)
  assert.equal(queue.isFull(), false)
  while (finish.length > 0) {
    finish.shift()?.()
    await delay(1)
  }
  await Promise.all(waiting)
})

test('FLT-21 forms are refused for the passwords that have arrived, also while these still read the database', async () => {
  const { queue, enter, finish } = slowQueue(1, 10)
  const leave = Array.from({ length: 8 }, (_, n) => queue.expectHash(`user ${n}`))
  assert.equal(queue.isFull(), false)
  queue.expectForm('visitor')
  assert.equal(queue.isFull(), true)
  // The password of one is verified, which takes no place, and the request of another ends without a hash.
  const verified = enter({ client: 'user 0' })
  leave[0]?.()
  assert.equal(queue.isFull(), true)
  leave[1]?.()
  assert.equal(queue.isFull(), false)
  await delay(1)
  finish.shift()?.()
  assert.equal(await verified, 'done')
})

test('FLT-21 while the machine hashes slowly the queue holds a second of work', async () => {
  const { enter, refused, finish } = slowQueue(1, 100)
  const waiting = Array.from({ length: 30 }, (_, n) => enter({ client: `user ${n}` }))
  await delay(1)
  assert.equal(refused.length, 0)
  // Some twenty a second.
  for (let n = 0; n < 8; n++) {
    await delay(50)
    finish.shift()?.()
  }
  await delay(1)
  await enter({ client: 'another user' })
  assert.equal(refused.length, 1)
  while (finish.length > 0) {
    finish.shift()?.()
    await delay(0)
  }
  await Promise.all(waiting)
})

test('SEC-46 a client that opens forms and submits none keeps no more places than it could use', async () => {
  const { queue, enter, finish } = slowQueue(1, 20)
  const waiting = Array.from({ length: 9 }, (_, n) => enter({ client: `user ${n}` }))
  await delay(1)
  for (let n = 0; n < 1000; n++) queue.expectForm('attacker')()
  assert.equal(queue.isFull(), false)
  for (let n = 0; n < 4; n++) queue.expectForm(`visitor ${n}`)()
  assert.equal(queue.isFull(), true)
  while (finish.length > 0) {
    finish.shift()?.()
    await delay(1)
  }
  await Promise.all(waiting)
})

test('a hash that would begin after two seconds is refused instead', async () => {
  const { enter, refused, finish } = slowQueue(1, 10)
  const first = enter({ client: 'a' })
  const began = performance.now()
  assert.equal(await enter({ client: 'b' }), 'refused')
  const waited = performance.now() - began
  assert.ok(waited > 1_900 && waited < 3_500, `${waited} ms`)
  assert.equal((refused[0] as ProtocolError).parts.status, 503)
  finish.shift()?.()
  assert.equal(await first, 'done')
})

test('what happens before a hash gives the place up where it throws, and the next one goes on', async () => {
  const { enter, refused, finish } = slowQueue(1, 10)
  const error = new Error('no')
  const stopped = enter({ client: 'a', begin: () => Promise.reject(error) })
  const next = enter({ client: 'b' })
  assert.equal(await stopped, 'refused')
  assert.deepEqual(refused, [error])
  await delay(1)
  finish.shift()?.()
  assert.equal(await next, 'done')
})

test('while an attempt is counted its place is kept, and the processor hashes for others', async () => {
  const { enter, refused, finish } = slowQueue(1, 1)
  let counted = () => {}
  const slow = enter({ client: 'a', begin: () => new Promise((resolve) => (counted = resolve)) })
  const quick = enter({ client: 'b' })
  await delay(1)
  assert.equal(finish.length, 1)
  assert.equal(await enter({ client: 'c' }), 'refused')
  assert.equal(refused.length, 1)
  counted()
  finish.shift()?.()
  assert.equal(await quick, 'done')
  await delay(1)
  finish.shift()?.()
  assert.equal(await slow, 'done')
})
