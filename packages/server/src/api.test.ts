import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import ownProduct from '../../../app/server.ts'
import { roles } from '../../../app.config.ts'
import { randomSecret, setRoles, signUp, startTestProduct } from '../test/product.ts'
import { productApi } from './api.ts'
import { createSessionCheck } from './session/session.ts'

type Schema = Parameters<typeof z.fromJSONSchema>[0]

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly summary: string
            readonly responses: Readonly<
              Record<
                string,
                { readonly content?: { readonly 'application/json': { readonly schema: Schema } } }
              >
            >
          }
        >
      >
    >
  >
}

test('the OpenAPI document lists every route of the product API and no other', async () => {
  await using product = await startTestProduct()
  const { paths } = (await (await product.fetch('/api/v1/openapi.json')).json()) as Document
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary }]) => {
      assert.ok(summary, path)
      return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    }),
  )
  const checkSession = async () => ({ status: 401 })
  const session = createSessionCheck({ checkSession }, async () => undefined, roles)
  const tools = { settings: {}, session } as Parameters<typeof ownProduct.api>[0]
  const parts = { ownApi: ownProduct.api(tools), session, settings: { production: true } }
  const mounted = productApi(parts as object as Parameters<typeof productApi>[0]).routes.filter(
    ({ method }) => method !== 'ALL',
  )
  assert.deepEqual(
    listed.toSorted(),
    [...new Set(mounted.map(({ method, path }) => `${method} ${path}`))].toSorted(),
  )
})

test('answers of the product API have the documented shape', async () => {
  await using product = await startTestProduct()
  const token = await signUp(product, 'ada@example.com')
  await setRoles(product, token, roles)
  const headers = { 'X-Session-Token': token }
  const { paths } = (await (await product.fetch('/api/v1/openapi.json')).json()) as Document
  const read = Object.entries(paths).filter(([path, { get }]) => get && !/\{|protected$/.test(path))
  assert.ok(read.length > 5)
  for (const [path, { get }] of read) {
    const answer = await product.fetch(`/api/v1${path}`, { headers })
    assert.equal(answer.status, 200, path)
    const schema = get?.responses[200]?.content?.['application/json'].schema
    z.fromJSONSchema(schema ?? false).parse(await answer.json())
  }
})

test('production serves no OpenAPI document, development also that of the identity service', async () => {
  await using product = await startTestProduct({
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:5200',
    SECRETS: randomSecret(),
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  await using development = await startTestProduct()
  for (const path of ['/api/v1/openapi.json', '/.ory/openapi.json']) {
    assert.equal((await product.fetch(path)).status, 404, path)
    assert.equal((await development.fetch(path)).status, 200, path)
  }
})
