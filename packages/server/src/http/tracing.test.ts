import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector } from '@ostiary/identity/testing/servers/collector'
import { startGateway } from '../../test/gateway.ts'
import { signUp, startTestProduct, type TestProduct } from '../../test/product.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`

test('a request is one span, and its log line has the ids', async () => {
  await using collector = await startCollector()
  const product = await startTestProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUSTED_PROXIES: '1' })
  const token = await signUp(product, 'ada@example.com')
  const headers = { 'X-Session-Token': token, traceparent, 'x-request-id': 'proxy-7' }
  const response = await product.fetch('/api/v1/account/devices', { headers })
  assert.equal(response.headers.get('x-request-id'), 'proxy-7')
  await product.fetch('/.ory/sessions/whoami', { headers: { 'X-Session-Token': token } })
  await product.fetch('/login')
  await product[Symbol.asyncDispose]()
  const request = collector.spans.find(({ parent_id }) => parent_id === 'b7ad6b7169203331')
  assert.ok(request)
  assert.equal(request.trace_id, TRACE)
  assert.equal(request.name, 'GET /api/v1/account/devices')
  assert.equal(request.attributes['server.address'], 'localhost')
  const names = collector.spans.filter(({ kind }) => kind === 'server').map(({ name }) => name)
  for (const name of ['GET /.ory/sessions/whoami', 'GET /*', 'POST /.ory/self-service/registration'])
    assert.ok(names.includes(name), names.join())
  const line = lineOf(product, 'proxy-7')
  assert.deepEqual([line.trace_id, line.span_id], [TRACE, request.span_id])
  assert.ok(!collector.received().includes(token))
})

test("without a collector a proxy's request id is still used", async () => {
  await using product = await startTestProduct({ TRUSTED_PROXIES: '1' })
  await product.fetch('/api/v1/nothing', { headers: { traceparent, 'x-request-id': 'proxy-7' } })
  assert.ok(!('trace_id' in lineOf(product, 'proxy-7')))
})

test('another identity service gets a trace from trusted proxies only', async () => {
  const sent = { traceparent, tracestate: 'a=b', baggage: 'c=d', b3: '1', 'x-b3-sampled': '1' }
  for (const [proxies, passed] of [
    [undefined, undefined],
    ['1', traceparent],
  ]) {
    using product = await startGateway(() => ({}), { trusted_proxies: proxies })
    await fetch(`${product.base}/.ory/sessions/whoami`, { headers: sent })
    const { headers = {} } = product.seen[0] ?? {}
    assert.equal(headers.traceparent, passed)
    for (const name of ['baggage', 'b3', 'x-b3-sampled']) assert.equal(headers[name], undefined, name)
  }
})

test('another identity service continues trace and request id', async () => {
  await using collector = await startCollector()
  using engine = await startGateway(() => ({}))
  const product = await startTestProduct({
    IDENTITY_URL: engine.engine.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  const response = await product.fetch('/.ory/sessions/whoami', { headers: { traceparent } })
  await product[Symbol.asyncDispose]()
  const { headers = {} } = engine.seen[0] ?? {}
  const [, trace_id, span_id] = String(headers.traceparent).split('-')
  const call = collector.spans.find((span) => span.span_id === span_id)
  assert.deepEqual([call?.name, call?.trace_id], ['GET identity_service', trace_id])
  assert.notEqual(trace_id, TRACE)
  assert.equal(headers['x-request-id'], response.headers.get('x-request-id'))
})

function lineOf({ log }: TestProduct, request_id: string): Readonly<Record<string, unknown>> {
  const found = log.lines.find(({ fields }) => 'request_id' in fields && fields.request_id === request_id)
  assert.ok(found)
  return { ...found.fields }
}
