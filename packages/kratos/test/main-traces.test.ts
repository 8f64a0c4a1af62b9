import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector } from '@ostiary/identity/testing/servers/collector'
import { serviceProcesses } from '@ostiary/identity/testing/servers/service-processes'

const { file, startWith } = serviceProcesses()

test('exports traces until it stops and returns the request id', async () => {
  await using collector = await startCollector()
  const service = startWith({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, '--config', file('traced.json'))
  const open = await service.shown(/Public port: 127\.0\.0\.1:(\d+)/)
  for (const path of ['/sessions/whoami', '/self-service/login/api']) {
    const response = await fetch(`http://127.0.0.1:${open}${path}`)
    assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/)
  }
  service.child.kill('SIGTERM')
  assert.equal(await service.ended, 0)
  const requests = collector.spans.filter(({ kind }) => kind === 'server').map(({ name }) => name)
  assert.deepEqual(requests, ['GET /sessions/whoami', 'GET /self-service/login/api'])
})

/** When the SDK, a separate file of the build, is loaded. */
const LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ resolve: (name, at, next) => {
    if (name.includes('open-telemetry')) process.stderr.write('loaded ' + name + '\\n')
    return next(name, at)
  } })`)}`

test('does not load the SDK without a collector', async () => {
  for (const [variables, loads] of [
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true],
  ] as const) {
    const env = { ...variables, NODE_OPTIONS: `--import ${LOADED}` }
    const service = startWith(env, '--config', file('loads.json'))
    const open = await service.shown(/Public port: 127\.0\.0\.1:(\d+)/)
    await fetch(`http://127.0.0.1:${open}/sessions/whoami`)
    assert.equal(/loaded \S*open-telemetry/.test(service.output()), loads)
    service.child.kill('SIGKILL')
  }
})

test('refuses to start with an invalid setting', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }
  const service = startWith(env, '--config', file('wrong-traces.json'))
  assert.equal(await service.ended, 1)
  assert.match(service.output(), /^OTEL_EXPORTER_OTLP_ENDPOINT: must be an address such as/m)
})
