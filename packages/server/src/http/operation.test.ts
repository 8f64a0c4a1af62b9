import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import { errorResponse, ProductError } from './errors.ts'
import { validator } from './operation.ts'

const input = z.object({
  url: z.url('Please enter a link').max(20, 'Please enter a shorter link'),
  tags: z.array(z.string('Please enter words')).default([]),
})

const app = new Hono()
  .post('/links', validator('json', input), (c) => c.json(c.req.valid('json')))
  .get('/links', validator('query', input, 'Please name a link'), (c) => c.json(c.req.valid('query')))
  .get('/full', () => {
    throw new ProductError('list_full', 409, 'The list is full', { fields: { url: 'Remove a link first' } })
  })
  .onError((error) => errorResponse(error as ProductError))

const post = (body: string | FormData) => app.request('/links', { method: 'POST', body })

async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: object }
  return error
}

const refused = { code: 'bad_request', status: 400, reason: 'The request could not be understood.' }

test('names each wrong field once, with the message of the schema', async () => {
  const answer = await post(JSON.stringify({ url: 'not a link, and too long', tags: ['a', 1] }))
  assert.equal(answer.status, 400)
  const error = (await errorOf(answer)) as { fields: object }
  assert.deepEqual(error, {
    ...refused,
    message: 'The input is not valid',
    fields: { url: 'Please enter a link', 'tags.1': 'Please enter words' },
  })
  assert.deepEqual(Object.keys(error.fields), ['url', 'tags.1'])
  assert.equal((await post(JSON.stringify({ url: 'https://a.example' }))).status, 200)
})

test('input other than an object has no wrong fields', async () => {
  for (const body of ['[]', 'null'])
    assert.deepEqual(await errorOf(await post(body)), { ...refused, message: 'The input is not valid' })
  for (const body of ['', '{', 'url=https://a.example', new FormData()])
    assert.deepEqual(await errorOf(await post(body)), { ...refused, message: 'The body must be JSON' })
})

test('a query is refused with the sentence of its route', async () => {
  assert.deepEqual(await errorOf(await app.request('/links?url=a')), {
    ...refused,
    message: 'Please name a link',
    fields: { url: 'Please enter a link' },
  })
})

test('a route names wrong fields itself', async () => {
  const error = await errorOf(await app.request('/full'))
  assert.deepEqual((error as { fields: unknown }).fields, { url: 'Remove a link first' })
})
