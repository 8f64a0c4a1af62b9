import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomSecret, startTestProduct } from '@ostiary/server/testing/product'
import { createVisitor } from '@ostiary/server/testing/visitor'
import type { RecordedCall } from './wire.ts'

const PUBLIC_URL = 'http://localhost:3000'
const PASSWORD = 'three quiet words'

async function openPage(base: string) {
  const visitor = createVisitor(base, PUBLIC_URL)
  await visitor.get(`${base}/`, { accept: 'text/html' })
  const wire = async (after = 0) => {
    const { body } = await visitor.get(`${base}/demo/api/wire?after=${after}`)
    return body as { entries: RecordedCall[]; session: object | null }
  }
  return { visitor, wire }
}

type Browser = Awaited<ReturnType<typeof openPage>>

async function signUp({ visitor }: Browser, base: string, email: string) {
  const { body } = await visitor.get(`${base}/.ory/self-service/registration/browser`)
  const csrf_token = body.ui?.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes
  const values = { method: 'password', password: PASSWORD, traits: { email }, csrf_token: csrf_token?.value }
  return await visitor.post(body.ui?.action ?? '', values)
}

test('the wire shows the calls of a browser without their secrets', async () => {
  await using product = await startTestProduct()
  const browser = await openPage(product.base)
  await signUp(browser, product.base, 'ada@example.com')
  const { entries, session } = await browser.wire()
  assert.deepEqual(
    entries.map(({ method, path, status }) => [method, path.replace(/=.*/, '='), status]),
    [
      ['GET', '/.ory/self-service/registration/browser', 200],
      ['POST', '/.ory/self-service/registration?flow=', 200],
    ],
  )
  const [opened, submitted] = entries
  assert.equal(opened?.flow_id, submitted?.flow_id)
  assert.ok(opened?.form?.nodes.some(({ name }) => name === 'password'))
  assert.match(opened?.cookies_set[0] ?? '', /^csrf_token_\w+; Path=\/; .*HttpOnly/)
  assert.deepEqual(JSON.parse(submitted?.request ?? ''), {
    method: 'password',
    password: '$PASSWORD',
    traits: { email: 'ada@example.com' },
    csrf_token: '$CSRF_TOKEN',
  })
  const text = JSON.stringify(entries)
  for (const secret of [PASSWORD, ...browser.visitor.cookies.values()]) assert.ok(!text.includes(secret))
  assert.equal(session, null)
  assert.deepEqual((await browser.wire(submitted?.seq)).entries, [])
})

test('calls of the panel itself stay off the wire', async () => {
  await using product = await startTestProduct()
  const { visitor, wire } = await openPage(product.base)
  const logout = '/.ory/self-service/logout/browser'
  const headers = { Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  await product.fetch(logout, { headers: { ...headers, 'Demo-Unrecorded': 'true' } })
  assert.deepEqual((await wire()).entries, [])
  await product.fetch(logout, { headers })
  assert.equal((await wire()).entries.length, 1)
})

test('malformed JSON and exchange codes stay off the wire', async () => {
  await using product = await startTestProduct()
  const { visitor, wire } = await openPage(product.base)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'application/json' }
  const body = `{"password":"${PASSWORD}"`
  const path = '/.ory/self-service/login?flow=x&init_code=secret-1&return_to_code=secret-2'
  await product.fetch(path, { method: 'POST', headers, body })
  const { entries } = await wire()
  assert.equal(entries[0]?.request, undefined)
  assert.match(entries[0]?.path ?? '', /init_code=\$INIT_CODE&return_to_code=\$RETURN_TO_CODE$/)
  assert.ok(!JSON.stringify(entries).includes(PASSWORD))
})

test('a browser cannot see or delete the calls of another', async () => {
  await using product = await startTestProduct()
  const ada = await openPage(product.base)
  const eve = await openPage(product.base)
  await signUp(ada, product.base, 'ada@example.com')
  assert.deepEqual((await eve.wire()).entries, [])
  const cookie = [...eve.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const origin = { cookie, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }
  await product.fetch('/demo/api/wire', { method: 'DELETE', headers: origin })
  assert.equal((await ada.wire()).entries.length, 2)
  eve.visitor.cookies.clear()
  assert.deepEqual((await eve.wire()).entries, [])
})

test('redirects and the hops to a provider are on the wire', async () => {
  await using product = await startTestProduct()
  const browser = await openPage(product.base)
  const { visitor } = browser
  const { body } = await visitor.get(`${product.base}/.ory/self-service/login/browser`)
  const csrf = body.ui?.nodes.find(({ attributes }) => attributes.name === 'csrf_token')?.attributes.value
  const answer = await visitor.post(body.ui?.action ?? '', {
    method: 'oidc',
    provider: 'github',
    csrf_token: csrf,
  })
  await visitor.get(answer.body.redirect_browser_to ?? '', { accept: 'text/html' })
  const hop = (await browser.wire()).entries.at(-1)
  assert.match(hop?.path ?? '', /^\/demo\/providers\/github\/.*state=\$STATE/)
  assert.equal(hop?.status, 303)
  assert.match(hop?.location ?? '', /\/demo\/consent/)
})

test('only the last 200 calls are kept, with bodies of at most 8 kB', async () => {
  await using product = await startTestProduct()
  const browser = await openPage(product.base)
  const csrf_token = 'a'.repeat(20_000)
  await browser.visitor.post(`${product.base}/.ory/self-service/login?flow=x`, { identifier: csrf_token })
  const [long] = (await browser.wire()).entries
  assert.equal(long?.request?.length, 8192)
  for (let count = 0; count < 201; count += 1)
    await browser.visitor.get(`${product.base}/.ory/self-service/login/flows?id=${count}`)
  const { entries } = await browser.wire()
  assert.equal(entries.length, 200)
  assert.match(entries.at(-1)?.path ?? '', /id=200$/)
})

test('production records nothing and has no panel', async () => {
  const settings = { NODE_ENV: 'production', PUBLIC_URL, SECRETS: randomSecret(), SMTP_URL: 'off' }
  await using product = await startTestProduct(settings)
  const browser = await openPage(product.base)
  assert.equal((await product.fetch('/demo/api/wire')).status, 404)
  assert.ok(!browser.visitor.cookies.has('demo_browser'))
})
