import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { setImmediate as turns } from 'node:timers/promises'
import { ProtocolError } from '../errors.ts'
import type { Turn } from './hash-queue.ts'
import { createHashQueue } from './hash-queue.ts'

/** A queue whose work ends when it is told to, and whose clock stands still until it is moved. */
function slowQueue(t: TestContext, atOnce: number, places: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const queue = createHashQueue(atOnce, places, undefined, () => now)
  const finish: (() => void)[] = []
  const work = () => new Promise<string>((resolve) => finish.push(() => resolve('done')))
  const refused: unknown[] = []
  return {
    queue,
    refused,
    finish,
    advance(milliseconds: number) {
      now += milliseconds
      t.mock.timers.tick(milliseconds)
    },
    enter(turn: Turn) {
      return queue.run(turn, work).catch((error: unknown) => {
        refused.push(error)
        return 'refused'
      })
    },
  }
}

test('SEC-46 at most four hashes of one client wait, so that other clients find places', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 2, 20)
  const flood = Array.from({ length: 110 }, () => enter({ client: 'a' }))
  await turns()
  assert.equal(refused.length, 110 - 2 - 4)
  assert.ok(refused.every((error) => error instanceof ProtocolError && error.parts.status === 503))
  assert.ok(refused.every((error) => (error as ProtocolError).parts.retryAfter === 1))
  const other = enter({ client: 'b' })
  for (let n = 0; n < 7; n++) {
    await turns()
    finish.shift()?.()
  }
  assert.equal(await other, 'done')
  await Promise.all(flood)
})

test('SEC-46 some places are reserved for clients that have signed in before', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 10)
  const others = Array.from({ length: 20 }, (_, n) => enter({ client: `stranger ${n}` }))
  await turns()
  assert.equal(refused.length, 20 - 1 - 8)
  const known = [enter({ client: 'c', known: true }), enter({ client: 'd', known: true })]
  await turns()
  assert.equal(refused.length, 11)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  assert.deepEqual(await Promise.all(known), ['done', 'done'])
  await Promise.all(others)
})

test('FLT-21 forms opened while hashes wait keep a place for a second, otherwise none', async (t) => {
  const { queue, enter, finish, advance } = slowQueue(t, 1, 10)
  const opening = Array.from({ length: 100 }, (_, n) => queue.expectForm(`visitor ${n}`))
  assert.equal(queue.isFull(), false)
  for (const sent of opening) sent()
  assert.equal(queue.isFull(), false)
  const waiting = Array.from({ length: 5 }, (_, n) => enter({ client: `user ${n}` }))
  await turns()
  for (let n = 0; n < 4; n++) queue.expectForm(n === 0 ? 'another user' : `visitor ${n}`)()
  assert.equal(queue.isFull(), true)
  // The password of one of these forms takes its place.
  waiting.push(enter({ client: 'another user' }))
  assert.equal(queue.isFull(), true)
  advance(1001)
  assert.equal(queue.isFull(), false)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('FLT-21 passwords that have arrived take places from new forms, even while they still read the database', async (t) => {
  const { queue, enter, finish } = slowQueue(t, 1, 10)
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
  await turns()
  finish.shift()?.()
  assert.equal(await verified, 'done')
})

test('FLT-21 on a slow machine the queue holds a second of work', async (t) => {
  const { enter, refused, finish, advance } = slowQueue(t, 1, 100)
  const waiting = Array.from({ length: 30 }, (_, n) => enter({ client: `user ${n}` }))
  await turns()
  assert.equal(refused.length, 0)
  // Some twenty a second.
  for (let n = 0; n < 8; n++) {
    advance(50)
    finish.shift()?.()
    await turns()
  }
  await turns()
  await enter({ client: 'another user' })
  assert.equal(refused.length, 1)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('SEC-46 a client that opens forms and submits none keeps no more places than it could use', async (t) => {
  const { queue, enter, finish } = slowQueue(t, 1, 20)
  const waiting = Array.from({ length: 9 }, (_, n) => enter({ client: `user ${n}` }))
  await turns()
  for (let n = 0; n < 1000; n++) queue.expectForm('attacker')()
  assert.equal(queue.isFull(), false)
  for (let n = 0; n < 4; n++) queue.expectForm(`visitor ${n}`)()
  assert.equal(queue.isFull(), true)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('a hash that would start after two seconds is refused', async (t) => {
  const { enter, refused, finish, advance } = slowQueue(t, 1, 10)
  const first = enter({ client: 'a' })
  const second = enter({ client: 'b' })
  await turns()
  advance(1_999)
  await turns()
  assert.equal(refused.length, 0)
  advance(1)
  assert.equal(await second, 'refused')
  assert.equal((refused[0] as ProtocolError).parts.status, 503)
  finish.shift()?.()
  assert.equal(await first, 'done')
})

test('work before a hash that throws frees its place for the next one', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 10)
  const error = new Error('no')
  const stopped = enter({ client: 'a', begin: () => Promise.reject(error) })
  const next = enter({ client: 'b' })
  assert.equal(await stopped, 'refused')
  assert.deepEqual(refused, [error])
  await turns()
  finish.shift()?.()
  assert.equal(await next, 'done')
})

test('while an attempt is counted its place is kept, and other hashes run', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 1)
  let counted = () => {}
  const slow = enter({ client: 'a', begin: () => new Promise((resolve) => (counted = resolve)) })
  const quick = enter({ client: 'b' })
  await turns()
  assert.equal(finish.length, 1)
  assert.equal(await enter({ client: 'c' }), 'refused')
  assert.equal(refused.length, 1)
  counted()
  finish.shift()?.()
  assert.equal(await quick, 'done')
  await turns()
  finish.shift()?.()
  assert.equal(await slow, 'done')
})
