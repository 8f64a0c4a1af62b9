import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type LocalCodeHost, startLocalCodeHost } from '@ostiary/server/testing/local-code-host'
import { signUp, startTestProduct, type TestProduct } from '@ostiary/server/testing/product'

let github: LocalCodeHost
let product: TestProduct
let clock: number

before(async () => {
  clock = Date.now()
  github = await startLocalCodeHost()
  product = await startTestProduct({ CODE_HOST_URL: github.base }, {}, () => new Date(clock++))
})
after(async () => {
  await product[Symbol.asyncDispose]()
  await github[Symbol.asyncDispose]()
})

interface User {
  readonly id: string
  readonly email: string
  readonly here: string
  readonly token: string
  readonly user_jwt: string
}

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' }

const ENDS: Record<string, (user: User) => Promise<Response>> = {
  'signing out there': ({ token }) => own('', 'DELETE', '/self-service/logout/api', { session_token: token }),
  'ending that session': async ({ here, token }) => {
    return await own(here, 'DELETE', `/sessions/${await idOf(token)}`)
  },
  'ending all others': ({ here }) => own(here, 'DELETE', '/sessions'),
  'a new password': async ({ here }) => {
    const { id } = (await (await own(here, 'GET', '/self-service/settings/api')).json()) as { id: string }
    const values = { method: 'password', password: 'another long passphrase' }
    return await own(here, 'POST', `/self-service/settings?flow=${id}`, values)
  },
  'a recovery': async ({ email }) => {
    const { id } = (await (await own('', 'GET', '/self-service/recovery/api')).json()) as { id: string }
    const path = `/self-service/recovery?flow=${id}`
    await own('', 'POST', path, { method: 'code', email })
    const mails = await product.identity.listMails(100)
    const code = mails.find(({ recipient }) => recipient === email)?.body.match(/\b\d{6}\b/)?.[0]
    return await own('', 'POST', path, { method: 'code', code })
  },
  'an operator who ends every session': ({ id }) => operate('DELETE', `/identities/${id}/sessions`),
  'an operator who ends that session': async ({ token }) =>
    operate('DELETE', `/sessions/${await idOf(token)}`),
  'switching the account off': ({ id }) =>
    operate('PATCH', `/identities/${id}`, [{ op: 'replace', path: '/state', value: 'inactive' }]),
  'removing the account': ({ id }) => operate('DELETE', `/identities/${id}`),
}

for (const [name, end] of Object.entries(ENDS)) {
  test(`SEC-16 SEC-18 SEC-22 after ${name} the product refuses the session and its user_jwt`, async () => {
    const user = await signedInTwice(`${name.replaceAll(' ', '-')}@example.com`)
    assert.deepEqual(await liveStatuses(user), [200])
    assert.equal(await statusByJwt(user), 200)
    const done = await end(user)
    assert.ok(done.ok, `${done.status}`)
    assert.deepEqual(await liveStatuses(user), [401])
    assert.equal(await mintedBy(user), 401)
    assert.equal(await statusByJwt(user), 401)
  })
}

test('SEC-17 the product refuses a user_jwt whose session lacks a new second factor', async () => {
  const user = await signedInTwice('second-factor@example.com')
  const { id } = (await (await own(user.here, 'GET', '/self-service/settings/api')).json()) as { id: string }
  for (const action of ['regenerate', 'confirm']) {
    const values = { method: 'lookup_secret', [`lookup_secret_${action}`]: true }
    assert.ok((await own(user.here, 'POST', `/self-service/settings?flow=${id}`, values)).ok, action)
  }
  assert.deepEqual(await liveStatuses(user), [403])
  assert.equal(await mintedBy(user), 403)
  assert.equal(await statusByJwt(user), 401)
})

async function liveStatuses({ token }: User): Promise<number[]> {
  const ends = Math.floor(clock / 1000) + 86_400
  const sent: Record<string, string>[] = [
    { 'x-session-token': token },
    { authorization: `Bearer ${token}` },
    { cookie: `ory_kratos_session=${token}.${ends}` },
  ]
  const statuses = await Promise.all(sent.map((headers) => statusOf('protected_user', headers)))
  return [...new Set(statuses)]
}

/** `user_jwt` is accepted for reading only. */
async function statusByJwt({ user_jwt }: User): Promise<number> {
  const headers = { authorization: `Bearer ${user_jwt}` }
  assert.equal(await statusOf('protected_user', headers), 401, 'a user_jwt alone is not a live session')
  return await statusOf('protected', headers)
}

async function idOf(token: string): Promise<string> {
  const { id } = (await (await own(token, 'GET', '/sessions/whoami')).json()) as { id: string }
  return id
}

async function mintedBy({ token }: User): Promise<number> {
  return (await own(token, 'GET', '/sessions/whoami?tokenize_as=my_app_jwt')).status
}

async function statusOf(name: string, headers: Record<string, string>): Promise<number> {
  const response = await product.fetch(`/api/v1/cash/${name}`, { headers })
  await response.arrayBuffer()
  return response.status
}

async function signedInTwice(email: string): Promise<User> {
  const here = await signUp(product, email)
  const flow = (await (await own('', 'GET', '/self-service/login/api')).json()) as { id: string }
  const values = { method: 'password', identifier: email, password: 'a long enough passphrase' }
  const entered = await own('', 'POST', `/self-service/login?flow=${flow.id}`, values)
  const { session_token: token } = (await entered.json()) as { session_token: string }
  const known = await own(token, 'GET', '/sessions/whoami?tokenize_as=my_app_jwt')
  const { identity, tokenized } = (await known.json()) as { identity: { id: string }; tokenized: string }
  return { id: identity.id, email, here, token, user_jwt: tokenized }
}

function own(token: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { ...JSON_BODY, ...(token === '' ? {} : { 'x-session-token': token }) }
  return product.fetch(`/.ory${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function operate(method: string, path: string, body?: object): Promise<Response> {
  return await product.identity.adminApp.request(`http://127.0.0.1/admin${path}`, {
    method,
    headers: JSON_BODY,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
