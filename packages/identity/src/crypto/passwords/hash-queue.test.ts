import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turns } from 'node:timers/promises'
import { ProtocolError } from '../../errors/errors.ts'
import { createHashQueue, type HashRequest } from './hash-queue.ts'

const alone = (client: string) => ({ client, network: client })

function slowQueue(t: TestContext, atOnce: number, slots: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const queue = createHashQueue(atOnce, slots, undefined, () => now)
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
    enter(turn: HashRequest, slots?: number) {
      return queue.run(turn, work, slots).catch((error: unknown) => {
        refused.push(error)
        return 'refused'
      })
    },
  }
}

test('SEC-46 queues at most four hashes per client', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 2, 20)
  const flood = Array.from({ length: 110 }, () => enter({ from: alone('a') }))
  await turns()
  assert.equal(refused.length, 110 - 2 - 4)
  assert.ok(refused.every((error) => error instanceof ProtocolError && error.parts.status === 503))
  assert.ok(refused.every((error) => (error as ProtocolError).parts.retryAfter === 1))
  const other = enter({ from: alone('b') })
  for (let n = 0; n < 7; n++) {
    await turns()
    finish.shift()?.()
  }
  assert.equal(await other, 'done')
  await Promise.all(flood)
})

test('SEC-46 reserves slots for known clients', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 10)
  const others = Array.from({ length: 20 }, (_, n) => enter({ from: alone(`stranger ${n}`) }))
  await turns()
  assert.equal(refused.length, 20 - 1 - 8)
  const known = [enter({ from: alone('c'), known: 'c' }), enter({ from: alone('d'), known: 'd' })]
  await turns()
  assert.equal(refused.length, 11)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  assert.deepEqual(await Promise.all(known), ['done', 'done'])
  await Promise.all(others)
})

test("SEC-68 keeps a known device's slots from strangers at its address", async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 40)
  const strangers = Array.from({ length: 9 }, () => enter({ from: alone('a') }))
  const known = Array.from({ length: 9 }, () => enter({ from: alone('a'), known: 'a' }))
  await turns()
  assert.equal(refused.length, 2 * (9 - 4) - 1)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  const done = (await Promise.all(known)).filter((end) => end === 'done')
  assert.equal(done.length, 4)
  await Promise.all(strangers)
})

test('SEC-46 leaves slots for other networks', async (t) => {
  for (const [slots, most] of [
    [90, 16],
    [20, 6],
    [8, 3],
    [4, 2],
  ] as const) {
    const { queue, enter, refused, finish } = slowQueue(t, 1, slots)
    const address = (n: number) => ({ client: `address ${n % 25}`, network: 'attacker' })
    for (let n = 0; n < 100; n++) queue.expectForm(address(n))
    const flood = Array.from({ length: 100 }, (_, n) => enter({ from: address(n) }))
    await turns()
    assert.equal(refused.length, 100 - 1 - most)
    assert.equal(queue.isFull(), slots === 4)
    const other = enter({ from: alone('user') })
    await turns()
    while (finish.length > 0) {
      finish.shift()?.()
      await turns()
    }
    assert.equal(await other, 'done')
    await Promise.all(flood)
    t.mock.timers.reset()
  }
})

test('SEC-110 counts slow hashes by their expected time', async (t) => {
  // One core and a second of work, as hashes of 22 ms. The attackers' take 272 ms.
  const { enter, refused, finish } = slowQueue(t, 1, 45)
  const flood = Array.from({ length: 40 }, (_, n) =>
    enter({ from: { client: `address ${n}`, network: `attacker ${n % 2}` } }, 12.4),
  )
  await turns()
  assert.equal(refused.length, 40 - 1 - 2)
  const users = Array.from({ length: 8 }, (_, n) => () => enter({ from: alone(`user ${n}`) }, 12.4))
  for (const signIn of users) {
    const signedIn = signIn()
    for (let hashes = 0; hashes < 4; hashes++) {
      await turns()
      finish.shift()?.()
    }
    assert.equal(await signedIn, 'done')
  }
  await Promise.all(flood)
})

test('SEC-110 refuses a client alike for slow and usual hashes', async (t) => {
  for (const slots of [1, 3]) {
    const { enter, refused, finish } = slowQueue(t, 1, 45)
    const sent = Array.from({ length: 4 }, () => enter({ from: alone('attacker') }, slots))
    await turns()
    assert.equal(refused.length, 0, String(slots))
    for (let n = 0; n < 4; n++) {
      finish.shift()?.()
      await turns()
    }
    await Promise.all(sent)
    t.mock.timers.reset()
  }
})

test("SEC-69 copied device cookies take no other account's slots", async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 20)
  const strangers = Array.from({ length: 17 }, (_, n) => enter({ from: alone(`stranger ${n}`) }))
  const copies = Array.from({ length: 30 }, (_, n) => enter({ from: alone(`copy ${n}`), known: 'attacker' }))
  await turns()
  assert.equal(refused.length, 30 - 2)
  const owner = enter({ from: alone('owner'), known: 'owner' })
  await turns()
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  assert.equal(await owner, 'done')
  await Promise.all([...strangers, ...copies])
})

test('FLT-21 holds slots for opened forms while hashes wait', async (t) => {
  const { queue, enter, finish, advance } = slowQueue(t, 1, 10)
  const opening = Array.from({ length: 100 }, (_, n) => queue.expectForm(alone(`visitor ${n}`)))
  assert.equal(queue.isFull(), false)
  for (const sent of opening) sent()
  assert.equal(queue.isFull(), false)
  const waiting = Array.from({ length: 5 }, (_, n) => enter({ from: alone(`user ${n}`) }))
  await turns()
  for (let n = 0; n < 4; n++) queue.expectForm(alone(n === 0 ? 'another user' : `visitor ${n}`))()
  assert.equal(queue.isFull(), true)
  // The password of one of these forms.
  waiting.push(enter({ from: alone('another user') }))
  assert.equal(queue.isFull(), true)
  advance(1001)
  assert.equal(queue.isFull(), false)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('FLT-21 prefers passwords to new forms', async (t) => {
  const { queue, enter, finish } = slowQueue(t, 1, 10)
  const leave = Array.from({ length: 8 }, (_, n) => queue.expectHash(alone(`user ${n}`)))
  assert.equal(queue.isFull(), false)
  queue.expectForm(alone('visitor'))
  assert.equal(queue.isFull(), true)
  // The password of one is verified; the request of another ends without a hash.
  const verified = enter({ from: alone('user 0') })
  leave[0]?.()
  assert.equal(queue.isFull(), true)
  leave[1]?.()
  assert.equal(queue.isFull(), false)
  await turns()
  finish.shift()?.()
  assert.equal(await verified, 'done')
})

test('FLT-21 holds a second of work on a slow machine', async (t) => {
  const { enter, refused, finish, advance } = slowQueue(t, 1, 100)
  const waiting = Array.from({ length: 30 }, (_, n) => enter({ from: alone(`user ${n}`) }))
  await turns()
  assert.equal(refused.length, 0)
  for (let n = 0; n < 8; n++) {
    advance(50)
    finish.shift()?.()
    await turns()
  }
  await turns()
  await enter({ from: alone('another user') })
  assert.equal(refused.length, 1)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('SEC-46 limits a client that only opens forms', async (t) => {
  const { queue, enter, finish } = slowQueue(t, 1, 20)
  const waiting = Array.from({ length: 9 }, (_, n) => enter({ from: alone(`user ${n}`) }))
  await turns()
  for (let n = 0; n < 1000; n++) queue.expectForm(alone('attacker'))()
  assert.equal(queue.isFull(), false)
  for (let n = 0; n < 4; n++) queue.expectForm(alone(`visitor ${n}`))()
  assert.equal(queue.isFull(), true)
  while (finish.length > 0) {
    finish.shift()?.()
    await turns()
  }
  await Promise.all(waiting)
})

test('rejects a hash that waited two seconds', async (t) => {
  const { enter, refused, finish, advance } = slowQueue(t, 1, 10)
  const first = enter({ from: alone('a') })
  const second = enter({ from: alone('b') })
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

test('frees the slot of a failing hash', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 10)
  const error = new Error('no')
  const stopped = enter({ from: alone('a'), begin: () => Promise.reject(error) })
  const next = enter({ from: alone('b') })
  assert.equal(await stopped, 'refused')
  assert.deepEqual(refused, [error])
  await turns()
  finish.shift()?.()
  assert.equal(await next, 'done')
})

test('holds a slot while counting the attempt', async (t) => {
  const { enter, refused, finish } = slowQueue(t, 1, 1)
  let counted = () => {}
  const slow = enter({ from: alone('a'), begin: () => new Promise((resolve) => (counted = resolve)) })
  const quick = enter({ from: alone('b') })
  await turns()
  assert.equal(finish.length, 1)
  assert.equal(await enter({ from: alone('c') }), 'refused')
  assert.equal(refused.length, 1)
  counted()
  finish.shift()?.()
  assert.equal(await quick, 'done')
  await turns()
  finish.shift()?.()
  assert.equal(await slow, 'done')
})
