import assert from 'node:assert/strict'
import { test } from 'node:test'
import ownProduct from '../../../../app/server.ts'
import { startTestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import { createHeaderSets } from '../http/header-sets.ts'
import type { Product } from './product.ts'

const now = () => new Date()

const withMaps: Omit<Product, 'config'> = {
  policy: {
    script: ['https://js.maps.example'],
    img: ['https://*.tiles.maps.example'],
    frame: ['https://maps.example'],
    connect: ['https://api.maps.example', 'wss://live.maps.example:8443'],
  },
}

test('pages may use the hosts that the product lists, and only these', async () => {
  assertRecipe('Use scripts, images or fonts of another host', import.meta.filename)
  await using product = await startTestProduct({}, {}, now, withMaps)
  const directives = await policyOf(product.fetch, '/')
  await using plain = await startTestProduct({}, {}, now, { policy: {} })
  const before = await policyOf(plain.fetch, '/')
  assert.deepEqual(directives, {
    ...before,
    'script-src': "'self' https://js.maps.example",
    'img-src': "'self' data: https://*.tiles.maps.example",
    'frame-src': 'https://maps.example',
    'connect-src': "'self' https://api.maps.example wss://live.maps.example:8443",
  })
  const inbox = await policyOf(product.fetch, '/demo/inbox')
  assert.equal(inbox['frame-src'], "'self' https://maps.example")
  assert.deepEqual(
    await policyOf(product.fetch, '/api/v1/nowhere'),
    await policyOf(plain.fetch, '/api/v1/nowhere'),
  )
})

async function policyOf(fetch: (path: string) => Promise<Response>, path: string) {
  const text = (await fetch(path)).headers.get('content-security-policy') ?? ''
  return Object.fromEntries(text.split('; ').map((line) => line.split(/ (.*)/).slice(0, 2)))
}

test('the admin page and emails use no other host', () => {
  const [own, plain] = [withMaps.policy, {}].map((policy) =>
    createHeaderSets(new URL('https://app.example'), { policy }),
  )
  assert.deepEqual([own?.adminPage, own?.mail, own?.api], [plain?.adminPage, plain?.mail, plain?.api])
})

for (const origin of [
  "'unsafe-inline'",
  'unsafe-eval',
  "'none'",
  '*',
  'https:',
  'https://*',
  'https://*.com',
  'https://*:443',
  'data:',
  'blob:',
  'http://cdn.example.com',
  'wss://cdn.example.com',
  'cdn.example.com',
  'https://cdn.example.com/',
  'https://cdn.example.com/lib.js',
  'https://cdn.example.com:443',
  'https://CDN.example.com',
  'https://ada@cdn.example.com',
  'https://cdn.example.com; script-src *',
  'https://cdn.example.com https://other.example.com',
  'https://cdn.*.example.com',
  '',
])
  test(`a start refuses ${JSON.stringify(origin)} as the origin of scripts`, () => {
    assert.throws(() => readSettings({}, { ...ownProduct, policy: { script: [origin] } }), {
      name: 'StartError',
      message: `policy.script in app/server.ts has ${JSON.stringify(origin)}. Use an origin such as https://cdn.example.com or https://*.example.com.`,
    })
  })

test('a start refuses an unknown part of the policy', () => {
  const policy = { 'script-src': ['https://cdn.example.com'] } as object
  assert.throws(
    () => readSettings({}, { ...ownProduct, policy }),
    /^StartError: policy in app\/server\.ts has the unknown part script-src\. Use script, style, img/,
  )
})
