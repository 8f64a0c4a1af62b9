import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { signUp, startTestProduct, type TestProduct } from '@ostiary/server/testing/product'
import { createSwitches } from './switches.ts'

const SWITCHES = '/demo/api/switches'
const LIST = '/api/v1/cash/protected_user'
const EMAIL = 'ada@example.com'

async function turn(product: TestProduct, changes: object): Promise<number> {
  return (await product.fetch(SWITCHES, { method: 'PATCH', body: JSON.stringify(changes) })).status
}

async function values(product: TestProduct): Promise<Record<string, string>> {
  const switches = (await (await product.fetch(SWITCHES)).json()) as { name: string; value: string }[]
  return Object.fromEntries(switches.map(({ name, value }) => [name, value]))
}

const defaults = {
  clock: 'now',
  github: 'live',
  email: 'delivered',
  providers: 'normal',
  identity: 'normal',
}

test('a switch keeps its value until it is reset', async () => {
  await using product = await startTestProduct()
  assert.deepEqual(await values(product), defaults)
  assert.equal(await turn(product, { providers: 'denied' }), 200)
  assert.equal(await turn(product, { email: 'off' }), 200)
  assert.deepEqual(await values(product), { ...defaults, providers: 'denied', email: 'off' })
  for (const unknown of [{ providers: 'gone' }, { weather: 'rain' }])
    assert.equal(await turn(product, unknown), 400)
  assert.equal((await product.fetch(SWITCHES, { method: 'DELETE' })).status, 204)
  assert.deepEqual(await values(product), defaults)
})

test('a day later the session has ended, and the way back restores it', async () => {
  await using product = await startTestProduct()
  const headers = { 'X-Session-Token': await signUp(product, EMAIL) }
  const whoami = async () => (await product.fetch('/.ory/sessions/whoami', { headers })).status
  const statuses = []
  for (const clock of ['+11 min', '+25 h', 'now']) {
    await turn(product, { clock })
    statuses.push(await whoami())
  }
  assert.deepEqual(statuses, [200, 401, 200])
})

test('pages learn the time of the demo', async () => {
  await using product = await startTestProduct()
  await turn(product, { clock: '+25 h' })
  const { headers } = await product.fetch(SWITCHES)
  const hours = (Date.parse(headers.get('date') ?? '') - Date.now()) / 3_600_000
  assert.equal(Math.round(hours), 25)
})

test('the list of repositories is as the switch says', async () => {
  await using product = await startTestProduct()
  const headers = { 'X-Session-Token': await signUp(product, EMAIL) }
  const list = async (github: string) => {
    await turn(product, { github })
    const response = await product.fetch(LIST, { headers })
    const body = (await response.json()) as object[] | { error: { code: string } }
    return Array.isArray(body) ? [response.headers.get('X-Data-Source'), body.length] : body.error.code
  }
  assert.deepEqual(await list('sample'), ['sample', 8])
  assert.deepEqual(await list('empty'), ['live', 0])
  assert.deepEqual(await list('100 repositories'), ['live', 100])
  assert.equal(await list('status 500'), 'code_host_unavailable')
  assert.equal(await list('rate limited'), 'rate_limited')
})

test('emails that are late or held back arrive in the end', async () => {
  let time = Date.now()
  await using product = await startTestProduct({}, {}, () => new Date(time))
  const shown = async () => {
    const { mails } = (await (await product.fetch('/demo/api/mails')).json()) as { mails: object[] }
    return mails.length
  }
  await turn(product, { email: '10 s late' })
  await signUp(product, EMAIL)
  assert.equal(await shown(), 0)
  time += 10_000
  const first = await shown()
  assert.ok(first > 0)
  await turn(product, { email: 'off' })
  await signUp(product, 'bo@example.com')
  time += 60_000
  assert.equal(await shown(), first)
  await turn(product, { email: 'delivered' })
  assert.ok((await shown()) > first)
})

test('a late email is announced when it arrives', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const announce = t.mock.fn()
  const switches = createSwitches(() => new Date(), { announce })
  await switches.routes.request('/', { method: 'PATCH', body: '{"email":"10 s late"}' })
  await switches.send()
  assert.equal(announce.mock.callCount(), 1)
  t.mock.timers.tick(10_000)
  assert.equal(announce.mock.callCount(), 2)
})

test('a bounced email never reaches the user, and the operator sees why and sends it again', async () => {
  await using product = await startTestProduct()
  product.identity.start()
  const shown = async () => {
    const response = await product.fetch('/demo/api/mails')
    return ((await response.json()) as { mails: { id: string }[] }).mails.map(({ id }) => id)
  }
  const findAbandoned = async () =>
    (await product.identity.listMails(9)).find(({ status }) => status === 'abandoned')
  await turn(product, { email: 'bounced' })
  await signUp(product, EMAIL)
  await until(async () => (await findAbandoned()) !== undefined)
  assert.deepEqual(await shown(), [])
  const { id = '' } = (await findAbandoned()) ?? {}
  const path = `/admin/courier/messages/${id}`
  const message = await (await product.identity.adminApp.request(path)).text()
  assert.match(message, /"error":"550 5\.1\.1 /)
  await turn(product, { email: 'delivered' })
  assert.ok(!(await shown()).includes(id))
  await product.identity.adminApp.request(`${path}/retry`, { method: 'POST' })
  assert.ok((await shown()).includes(id))
})

test('an operator sees emails of a turned-off mail server as queued', async () => {
  await using product = await startTestProduct()
  product.identity.start()
  await turn(product, { email: 'off' })
  await signUp(product, EMAIL)
  const warned = ({ message }: { message?: string }) => /cannot be sent; they stay queued/.test(message ?? '')
  await until(async () => product.log.lines.some(warned))
  assert.ok((await product.identity.listMails(9)).every(({ status }) => status !== 'sent'))
})

test('a turned-off identity service fails its callers and the product, but not the panel', async () => {
  await using product = await startTestProduct()
  const headers = { 'X-Session-Token': await signUp(product, EMAIL) }
  await turn(product, { identity: 'status 503' })
  const opened = await product.fetch('/.ory/self-service/login/browser')
  assert.deepEqual([opened.status, opened.headers.get('Retry-After')], [503, '1'])
  assert.equal((await product.fetch('/api/v1/account/session', { headers })).status, 503)
  assert.equal((await product.fetch('/demo/api/wire')).status, 200)
})

test('no other site turns a switch, and production has none', async () => {
  await using product = await startTestProduct()
  for (const method of ['PATCH', 'DELETE']) {
    const init = { method, headers: { origin: 'https://evil.example' }, body: '{"identity":"status 503"}' }
    assert.equal((await product.fetch(SWITCHES, init)).status, 403)
  }
  assert.deepEqual(await values(product), defaults)
  await using elsewhere = await startTestProduct({ SMTP_URL: 'off' })
  assert.equal((await elsewhere.fetch(SWITCHES)).status, 404)
})
