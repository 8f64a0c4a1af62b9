import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Tracing } from '@ostiary/identity/serving'
import { until } from '@ostiary/identity/testing/kit/until'
import { startCollector } from '@ostiary/identity/testing/servers/collector'
import { openTracing, readTracing } from '../src/traces/settings.ts'

const BATCH = 512

test('logs a rejecting collector once a minute without secrets', async () => {
  await using collector = await startCollector({ status: 401 })
  const { tracing, lines } = await traced(collector.url)
  for (let exports = 1; exports <= 3; exports += 1) {
    serve(tracing, BATCH)
    await until(() => collector.exports.length >= exports)
  }
  await tracing.stop()
  assert.deepEqual(lines, [
    {
      host: new URL(collector.url).host,
      lost: BATCH,
      reason: '401',
      message: 'traces cannot be exported; dropping them',
    },
  ])
})

test('bounds its spans while a collector is silent', async () => {
  await using collector = await startCollector({ silent: true })
  const { tracing } = await traced(collector.url)
  for (let turn = 0; turn < 40; turn += 1) {
    serve(tracing, BATCH)
    await new Promise(setImmediate)
  }
  await tracing.stop()
  assert.ok(collector.spans.length <= 2_048 + 2 * BATCH, String(collector.spans.length))
})

test('stops even if its collector is gone or silent', async () => {
  await using silent = await startCollector({ silent: true })
  const stops = [silent.url, `http://127.0.0.1:${await closedPort()}`].map(async (url) => {
    const { tracing } = await traced(url)
    serve(tracing, 1)
    await tracing.stop()
  })
  await Promise.all(stops)
})

async function traced(endpoint: string) {
  const lines: object[] = []
  const write = (fields: object, message: string) => void lines.push({ ...fields, message })
  const log = { debug: write, info: write, warn: write, error: write }
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'X-Token=s3cret' }
  const tracing = await openTracing(readTracing(env), log)
  assert.ok(tracing)
  return { tracing, lines }
}

function serve(tracing: Tracing, requests: number): void {
  for (let served = 0; served < requests; served += 1)
    tracing.begin({ name: 'GET', request_id: 'a', attributes: {} }).end('GET /*', {})
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
