import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHashQueue } from '../crypto/passwords/hash-queue.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { hashWatch } from './measures.ts'

test('reports the hash queue length and rejections in metrics', async () => {
  const metrics = createMetrics(METRICS)
  const queue = createHashQueue(1, 1, hashWatch({ metrics }))
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const first = queue.run({}, () => promise)
  const second = queue.run({}, async () => {})
  await assert.rejects(queue.run({}, async () => {}))
  assert.match(await textOf(metrics), /^identity_hash_queue_waiting 1$/m)
  assert.match(await textOf(metrics), /^identity_hash_refusals_total 1$/m)
  finish()
  await Promise.all([first, second])
  assert.match(await textOf(metrics), /^identity_hash_queue_waiting 0$/m)
  assert.match(await textOf(metrics), /^identity_hash_wait_seconds_count 2$/m)
})

test('omits a gauge that cannot be read', async () => {
  const metrics = createMetrics(METRICS)
  metrics.measure('identity_sessions_live', () => Promise.reject(new Error('no database')))
  const text = await textOf(metrics)
  assert.doesNotMatch(text, /^identity_sessions_live /m)
  assert.match(text, /^identity_hash_refusals_total 0$/m)
})

async function textOf(metrics: ReturnType<typeof createMetrics<typeof METRICS>>): Promise<string> {
  return (await metrics.expose()).text
}
