import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '@ostiary/identity/operating'
import type { Catalogue, Metrics } from '@ostiary/identity/serving'
import { listLinks, readlist } from '@ostiary/identity/testing/kit/readlist'
import { until } from '@ostiary/identity/testing/kit/until'
import { Hono } from 'hono'
import ownProduct from '../../../../app/server.ts'
import { signUp, startTestProduct, type TestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { listJobs } from '../jobs/table.ts'
import type { JobTools } from '../product/jobs.ts'
import { type ApiTools, defineMetrics } from '../product/product.ts'
import { PRODUCT_METRICS } from './metrics.ts'

test('counts requests by route, and calls of the code host', async () => {
  await using product = await startTestProduct()
  const token = await signUp(product, 'ada@example.com')
  const headers = { 'X-Session-Token': token }
  await product.fetch('/.ory/sessions/whoami', { headers })
  await product.fetch('/api/v1/account/devices', { headers })
  await product.fetch('/login')
  await product.fetch('/api/v1/nothing/of/that/kind')
  await product.fetch('/.ory/self-service/login/flows?id=d1e2f3')
  const text = await exposed(product)
  const counted = (labels: string) =>
    new RegExp(`^http_request_duration_seconds_count\\{${labels}\\} [1-9]`, 'm')
  const request = (method: string, route: string, status: number) =>
    counted(`port="public",method="${method}",route="${RegExp.escape(route)}",status="${status}"`)
  assert.match(text, request('GET', '/.ory/sessions/whoami', 200))
  assert.match(text, request('POST', '/.ory/self-service/registration', 200))
  assert.match(text, request('GET', '/.ory/self-service/login/flows', 404))
  assert.match(text, request('GET', '/api/v1/account/devices', 200))
  assert.match(text, request('GET', '/api/*', 404))
  assert.match(text, request('GET', '/*', 200))
  assert.doesNotMatch(text, /d1e2f3/)
})

test('counts a made-up method as other', async () => {
  await using product = await startTestProduct()
  const raw = await product.connect('BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  await raw.everything
  await product
    .connect('PROPFIND / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    .then((one) => one.everything)
  assert.match(await exposed(product), /method="other"/)
})

/** As in a product that has not registered its metrics. */
type AnyMetrics<Tools> = Omit<Tools, 'metrics'> & { readonly metrics: Metrics<Catalogue> }
interface Unregistered {
  readonly metrics: Catalogue
  api(tools: AnyMetrics<ApiTools>): Hono
  readonly jobs: Record<string, { every: string; run(tools: AnyMetrics<JobTools>): unknown }>
}

const withLinks: Unregistered = {
  metrics: defineMetrics({
    links: { type: 'gauge', labels: [], workers: 'max', help: 'Links of all users' },
    links_refused_total: { type: 'counter', labels: ['reason'], help: 'Links that were not added' },
    links_last_count: { type: 'gauge', labels: [], workers: 'max', help: 'Links at the last count' },
  }),
  api({ db, metrics }) {
    metrics.measure('links', async () => [{ value: (await listLinks(db)).length }])
    return new Hono().post('/links', (c) => {
      metrics.add('links_refused_total', { reason: 'full' })
      return c.body(null, 409)
    })
  },
  jobs: {
    count: {
      every: '1h',
      run: async ({ db, metrics }) => metrics.set('links_last_count', {}, (await listLinks(db)).length),
    },
  },
}

test('exposes the metrics of a product', async () => {
  assertRecipe('Measure something', import.meta.filename)
  let now = new Date('2027-03-01T22:59:59Z')
  await using product = await startTestProduct({}, {}, () => now, {
    ...readlist,
    ...(withLinks as object),
  })
  await product.fetch('/api/v1/links', { method: 'POST' })
  await until(async () => (await listJobs(product.identity.db)).size > 0)
  now = new Date('2027-03-01T23:00:00Z')
  await until(async () => /^links_last_count 0$/m.test(await exposed(product)))
  const text = await exposed(product)
  assert.match(text, /^links 0$/m)
  assert.match(text, /^links_refused_total\{reason="full"\} 1$/m)
})

test('a gauge has no value before its first', async () => {
  const metrics = createMetrics(defineMetrics({ crew: { type: 'gauge', labels: [], help: 'Members' } }))
  const values = async () => (await metrics.expose()).text.match(/^crew .*$/gm)
  assert.equal(await values(), null)
  metrics.set('crew', {}, 0)
  assert.deepEqual(await values(), ['crew 0'])
})

test('exposes every metric of the catalogue', async () => {
  await using product = await startTestProduct()
  const names = [...(await exposed(product)).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  const own = names.filter((name) => !/^(process|nodejs)_/.test(name))
  assert.deepEqual(own, [...Object.keys(ownProduct.metrics), ...Object.keys(PRODUCT_METRICS)])
})

async function exposed({ identity }: TestProduct): Promise<string> {
  return await (await identity.adminApp.request('http://127.0.0.1/metrics')).text()
}
