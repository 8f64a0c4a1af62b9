import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector } from '@ostiary/identity/testing/servers/collector'
import { startLocalCodeHost } from '@ostiary/server/testing/local-code-host'
import { signUp, startTestProduct } from '@ostiary/server/testing/product'

test('a call of GitHub is a span below its request, and carries no trace headers', async () => {
  await using collector = await startCollector()
  await using github = await startLocalCodeHost()
  const product = await startTestProduct({
    CODE_HOST_URL: github.base,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
  await product.fetch('/api/v1/code-host/users/octocat/repos', { headers })
  await product[Symbol.asyncDispose]()
  const request = collector.spans.find(({ name }) => name.startsWith('GET /api/v1/code-host/'))
  const call = collector.spans.find(({ name }) => name === 'GET product')
  assert.ok(request && call)
  assert.equal(call.parent_id, request.span_id)
  assert.equal(github.requests.length, 1)
  for (const { headers } of github.requests)
    assert.deepEqual([headers.traceparent, headers['x-request-id']], [undefined, undefined])
})
