import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import ownProduct from '../../../../app/server.ts'
import { signUp, startTestProduct, type TestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import type { Product } from '../product/product.ts'
import { findUnusedBodyLimits, uploadTimes } from './body-limits.ts'

const KB = 2 ** 10
const MB = 2 ** 20
const now = () => new Date()

const withPhotos: Omit<Product, 'config'> = {
  bodyLimits: { '/api/v1/photos': '5MB' },
  api: ({ session }) =>
    new Hono()
      .post('/photos', session.require(), async (c) => {
        const photo = await c.req.arrayBuffer()
        return c.json({ bytes: photo.byteLength }, 201)
      })
      .post('/photos/small/title', async (c) => c.json(await c.req.text()))
      .post('/albums', (c) => c.body(null))
      .post('/photoshop', async (c) => c.json(await c.req.text())),
}

let product: TestProduct
let token: string

before(async () => {
  const { bodyLimits } = withPhotos
  product = await startTestProduct({}, {}, now, {
    ...withPhotos,
    bodyLimits: { ...bodyLimits, '/api/v1/photos/small': '1KB', '/api/v1/albums': '1500KB' },
  })
  token = await signUp(product, 'ada@example.com')
})
after(() => product[Symbol.asyncDispose]())

const post = async (path: string, bytes: number, headers: Record<string, string> = {}) =>
  await product.fetch(path, {
    method: 'POST',
    headers: { 'X-Session-Token': token, ...headers },
    body: Buffer.alloc(bytes, 'x'),
  })

test('one path takes a larger body, up to its limit', async () => {
  assertRecipe('Accept a larger upload', import.meta.filename)
  const stored = await post('/api/v1/photos', 5 * MB)
  assert.deepEqual([stored.status, await stored.json()], [201, { bytes: 5 * MB }])
  assert.equal((await post('/api/v1/photos', 5 * MB + 1)).status, 413)
})

test('the longest prefix counts', async () => {
  assert.equal((await post('/api/v1/photos/small/title', KB)).status, 200)
  assert.equal((await post('/api/v1/photos/small/title', KB + 1)).status, 413)
})

test('a phone with a weak signal has the time for the largest body', () => {
  const { longest, of } = uploadTimes({ '/api/v1/notes': '1MB', '/api/v1/photos': '5MB' })
  assert.equal(longest, 104_858)
  const paths = [
    '/api/v1/photos?a=/b',
    '/api/v1/notes/1',
    '/api/v1/photoshop',
    '/.ory/self-service/login?flow=1',
  ]
  assert.deepEqual(paths.map(of), [longest, 20_972, 0, 0])
  assert.equal(uploadTimes().longest, 0)
})

test('other paths keep their limit', async () => {
  for (const path of [
    '/api/v1/photoshop',
    '/api/v1/photos/../photoshop',
    '/api/v1/account/export',
    '/.ory/self-service/login',
    '/api/v1/Photos',
  ])
    assert.equal((await post(path, 128 * KB + 1)).status, 413, path)
  assert.equal((await post('/api/v1/photoshop', 128 * KB)).status, 200)
})

test('FLT-15 refuses a compressed body there too', async () => {
  const answer = await product.fetch('/api/v1/photos', {
    method: 'POST',
    headers: { 'Content-Encoding': 'gzip', 'X-Session-Token': token },
    body: gzipSync('x'.repeat(MB)),
  })
  assert.equal(answer.status, 415)
})

test('the refusal of a body names the limit', async () => {
  const messageFor = async (path: string, size: number) =>
    JSON.parse(await (await post(path, size)).text()).error.message
  assert.equal(await messageFor('/api/v1/photos', 6 * MB), 'Send at most 5 MB')
  assert.equal(await messageFor('/api/v1/albums', 2 * MB), 'Send at most 1500 KB')
  assert.equal(await messageFor('/api/v1/other', MB), 'Send at most 128 KB')
})

test('FLT-15 a large body needs a session and its length, so that strangers cannot fill the memory', async () => {
  assert.equal((await post('/api/v1/photos', 5 * MB, { 'X-Session-Token': '' })).status, 401)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const { everything } = await product.connect(
    `POST /api/v1/photos HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}`,
  )
  const answer = await everything
  assert.match(answer, /^HTTP\/1\.1 413 /)
  assert.match(answer, /Send a large request with its Content-Length/)
})

for (const [bodyLimits, refusal] of [
  [{ '/api/v1/photos': '101MB' }, /gives \/api\/v1\/photos "101MB"\. Use a size from 1KB to 100MB/],
  [{ '/api/v1/photos': '5 megabytes' }, /"5 megabytes"/],
  [{ '/api/v1/photos': '0MB' }, /"0MB"/],
  [{ '/api/v1/photos': '' }, /""/],
  [{ '/api/v1': '5MB' }, /names "\/api\/v1"\. Use a path such as \/api\/v1\/photos/],
  [{ '/photos': '5MB' }, /names "\/photos"/],
  [{ '/api/v1/photos/': '5MB' }, /names "\/api\/v1\/photos\/"/],
  [{ '/api/v1/photos/:id': '5MB' }, /names/],
  [{ '/.ory': '5MB' }, /names/],
] as const)
  test(`a start refuses the limit ${JSON.stringify(bodyLimits)}`, () => {
    assert.throws(
      () => readSettings({}, { ...ownProduct, bodyLimits: { ...bodyLimits } }),
      (error: Error) => error.name === 'StartError' && refusal.test(error.message),
    )
  })

test('a start refuses a limit below which no route is', () => {
  const paths = ['/api/v1/*', '/api/v1/photos', '/api/v1/albums/:id/covers', '/api/v1/files/*']
  const sizes = [
    'photos',
    'albums/summer',
    'albums/summer/covers',
    'files/a/b',
    'photo',
    'albums/summer/songs',
  ]
  const limits = Object.fromEntries(sizes.map((path) => [`/api/v1/${path}`, '5MB']))
  const problems = [...findUnusedBodyLimits(limits, paths)]
  assert.deepEqual(
    problems.map((problem) => /names (\S+),/.exec(problem)?.[1]),
    ['/api/v1/photo', '/api/v1/albums/summer/songs'],
  )
})

test('the start names the limit that no route needs', async () => {
  const starting = startTestProduct({}, {}, now, { ...withPhotos, bodyLimits: { '/api/v1/photo': '5MB' } })
  await assert.rejects(
    starting,
    /^StartError: bodyLimits in app\/server\.ts names \/api\/v1\/photo, but no route/,
  )
})
