import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createBackground } from './background.ts'

function crowded() {
  const told: string[] = []
  const tell = (fields: object, sentence: string) => void told.push(`${sentence} ${JSON.stringify(fields)}`)
  const background = createBackground({ debug: tell, info: tell, warn: tell, error: tell })
  const begun: number[] = []
  const finish: ((error?: Error) => void)[] = []
  const signals: AbortSignal[] = []
  const run = (count: number) => {
    for (let number = 1; number <= count; number += 1) {
      background.run('web hooks', (signal) => {
        begun.push(number)
        signals.push(signal)
        return new Promise<void>((resolve, reject) => {
          finish.push((error) => (error ? reject(error) : resolve()))
        })
      })
    }
  }
  const letGo = async () => {
    while (finish.length > 0) {
      for (const end of finish.splice(0)) end()
      await setImmediate()
    }
  }
  return { background, told, begun, finish, signals, run, letGo }
}

test('runs twenty calls at a time and the others in order', async () => {
  const { begun, finish, run, letGo } = crowded()
  run(23)
  assert.equal(begun.length, 20)
  finish.shift()?.(new Error('one that fails makes room too'))
  await setImmediate()
  assert.deepEqual(begun.slice(20), [21])
  await letGo()
  assert.deepEqual(begun.slice(20), [21, 22, 23])
})

test('drops calls beyond the queue and logs it once', async () => {
  const { told, begun, run, letGo } = crowded()
  run(20 + 500)
  assert.deepEqual(told, [])
  run(3)
  assert.deepEqual(told, ['background queue full; dropping new work {"queue":"web hooks"}'])
  await letGo()
  assert.equal(begun.length, 520)
  assert.deepEqual(told.slice(1), ['background queue has capacity again {"queue":"web hooks","dropped":3}'])
  run(1)
  assert.equal(begun.length, 521)
  await letGo()
})

test('hanging web hooks do not delay security events or session activity', async () => {
  const { background, told, begun, run } = crowded()
  run(20 + 500)
  assert.equal(begun.length, 20)
  const stored: string[] = []
  for (const queue of ['security events', 'session activity', 'remembered browsers'] as const)
    background.run(queue, async () => stored.push(queue))
  assert.deepEqual(stored, ['security events', 'session activity', 'remembered browsers'])
  assert.deepEqual(told, [])
})

test('waits for running and queued calls when stopping', async () => {
  const { background, told, begun, run, letGo } = crowded()
  run(25)
  let isOver = false
  const stopping = background.stop().then(() => {
    isOver = true
  })
  await setImmediate()
  assert.equal(isOver, false)
  await letGo()
  await stopping
  assert.equal(begun.length, 25)
  assert.deepEqual(told, [])
  run(1)
  assert.equal(begun.length, 25)
})

test('aborts calls that still run seconds after stopping', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { background, told, begun, signals, run } = crowded()
  run(22)
  const stopping = background.stop()
  t.mock.timers.tick(5000)
  await stopping
  assert.equal(begun.length, 20)
  assert.ok(signals.every(({ aborted }) => aborted))
  assert.deepEqual(told, ['stopped before background work finished {"queue":"web hooks","left_out":22}'])
})

test('stops immediately when idle', async () => {
  const { background, told } = crowded()
  await background.stop()
  await background.stop()
  assert.deepEqual(told, [])
})
