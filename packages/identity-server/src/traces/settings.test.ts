import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplerOf } from './open-telemetry.ts'
import { readTracing } from './settings.ts'

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

test('disables traces without a collector', () => {
  for (const env of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_SERVICE_NAME: 'a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ])
    assert.equal(readTracing(env), undefined)
})

test("exports to the collector's OTLP path", () => {
  for (const [endpoint, url] of [
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['https://otel.example/team/', 'https://otel.example/team/v1/traces'],
  ])
    assert.equal(readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })?.url, url)
})

test("the service's name is its setting, an attribute, or ostiary", () => {
  const nameOf = (env: NodeJS.ProcessEnv) => readTracing({ ...COLLECTOR, ...env })?.resource['service.name']
  const attribute = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=one' }
  assert.deepEqual(
    [nameOf({}), nameOf(attribute), nameOf({ ...attribute, OTEL_SERVICE_NAME: 'two' })],
    ['ostiary', 'one', 'two'],
  )
})

const WRONG: readonly [variable: string, value: string, sentence: RegExp][] = [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', /must be an address such as http:\/\/localhost:4318/],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://ada:s3cret@localhost:4318', /must not contain a user name/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be http\/json/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Bearer s3cret', /must be pairs such as name=value/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=s3cret%0d%0aX: y', /must be pairs/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=s3cret%0d%0aX', /must be pairs/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=s3cret%zz', /must be pairs/],
  ['OTEL_RESOURCE_ATTRIBUTES', 'staging', /must be pairs/],
  ['OTEL_TRACES_SAMPLER', 'sometimes', /must be one of OpenTelemetry/],
  ['OTEL_TRACES_SAMPLER_ARG', '10%', /must be a number from 0 to 1/],
  ['OTEL_TRACES_SAMPLER_ARG', '2', /must be a number from 0 to 1/],
]
for (const [variable, value, sentence] of WRONG) {
  test(`${variable}=${value} prevents the start without a quote`, () => {
    assert.throws(
      () => readTracing({ ...COLLECTOR, [variable]: value }),
      ({ message }: Error) => {
        assert.match(message, sentence)
        assert.ok(message.startsWith(variable))
        return !message.includes('s3cret')
      },
    )
  })
}

test('every sampler of the specification works', () => {
  const named = (OTEL_TRACES_SAMPLER?: string, ratio = '0.5') => {
    const env = {
      ...COLLECTOR,
      OTEL_TRACES_SAMPLER_ARG: ratio,
      ...(OTEL_TRACES_SAMPLER && { OTEL_TRACES_SAMPLER }),
    }
    const settings = readTracing(env)
    assert.ok(settings)
    return String(samplerOf(settings))
  }
  assert.match(named(), /^ParentBased\{root=AlwaysOnSampler/)
  assert.equal(named('always_off'), 'AlwaysOffSampler')
  assert.equal(named('traceidratio', '0.25'), 'TraceIdRatioBased{0.25}')
  assert.match(named('parentbased_traceidratio'), /^ParentBased\{root=TraceIdRatioBased\{0\.5\}/)
})
