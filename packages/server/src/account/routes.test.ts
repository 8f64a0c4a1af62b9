import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import ownProduct from '../../../../app/server.ts'
import { exportFile, name } from '../../../../app.config.ts'
import { PASSWORD, signIn, signUp, startTestProduct } from '../../test/product.ts'

const DAY_MS = 86_400_000

function clock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    wind(ms: number) {
      ahead += ms
    },
  }
}

test('every path of the account API requires a session', async () => {
  await using product = await startTestProduct()
  for (const path of ['credentials', 'devices', 'activity', 'export']) {
    assert.equal((await product.fetch(`/api/v1/account/${path}`)).status, 401, path)
  }
  for (const method of ['GET', 'POST', 'DELETE'])
    assert.equal((await product.fetch('/api/v1/account/deletion', { method })).status, 401)
})

test('users see their own devices, activity and credentials', async () => {
  await using product = await startTestProduct()
  const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
  await signUp(product, 'grace@example.com')
  const read = async (path: string) => (await product.fetch(`/api/v1/account/${path}`, { headers })).json()
  const devices = (await read('devices')) as { current: boolean; method: string }[]
  assert.deepEqual(
    devices.map(({ current, method }) => [current, method]),
    [[true, 'password']],
  )
  const events = (await read('activity')) as { event: string; identity_id?: string }[]
  assert.deepEqual(
    events.map(({ event }) => event),
    ['sign_in', 'address_verified', 'registration'],
  )
  const withAddress = [...devices, ...events].filter((one) => 'address' in one || 'client_address' in one)
  assert.deepEqual(withAddress, [], 'loopback tells users nothing')
  const { password, ...others } = (await read('credentials')) as { password: { changed_at: string } }
  assert.ok(Math.abs(Date.parse(password.changed_at) - Date.now()) < 60_000)
  assert.deepEqual(others, { connections: [], passkeys: [] })
})

test('users see when each device was last used', async () => {
  const { now, wind } = clock()
  await using product = await startTestProduct({}, {}, now)
  const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
  const signedIn = now().getTime()
  wind(2 * 3_600_000)
  const read = async () => {
    const devices = (await (await product.fetch('/api/v1/account/devices', { headers })).json()) as {
      last_active_at: string
      signed_in_at: string
    }[]
    return devices.map(({ last_active_at }) =>
      Math.round((Date.parse(last_active_at) - signedIn) / 3_600_000),
    )
  }
  await read()
  await until(async () => (await read())[0] === 2)
  assert.deepEqual(await read(), [2])
})

test('the download holds what is stored about the user, and no credential', async () => {
  await using product = await startTestProduct()
  const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
  const response = await product.fetch('/api/v1/account/export', { headers })
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${exportFile}"`)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const text = await response.text()
  assert.match(text, /ada@example\.com/)
  assert.doesNotMatch(text, /argon2|token|hash/)
})

test('the download names the keeper of a passkey, as the page does', async () => {
  await using product = await startTestProduct()
  const email = 'ada@example.com'
  const created = await product.identity.adminApp.request('/admin/identities', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      traits: sampleTraits(ownProduct.config, email),
      verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
      credentials: { password: { config: { password: PASSWORD } }, passkey: { config: passkeyConfig() } },
    }),
  })
  assert.equal(created.status, 201, await created.text())
  const headers = { 'X-Session-Token': await signIn(product, email) }
  const read = async (path: string) => (await product.fetch(`/api/v1/account/${path}`, { headers })).json()
  const { passkeys: listed } = (await read('credentials')) as Passkeys
  const { credentials } = (await read('export')) as { credentials: Passkeys }
  const names = ({ name, kept_by }: Passkeys['passkeys'][number]) => [name, kept_by]
  assert.deepEqual(credentials.passkeys.map(names), [['Phone', 'Google Password Manager']])
  assert.deepEqual(listed.map(names), credentials.passkeys.map(names))
})

interface Passkeys {
  readonly passkeys: readonly { readonly name?: string; readonly kept_by?: string }[]
}

function passkeyConfig() {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  })
  // A COSE key in CBOR.
  const [head, point] = ['a501020326200121', '22'].map((hex) => Buffer.from(hex, 'hex'))
  const coordinate = (text: string) =>
    Buffer.concat([Buffer.from('5820', 'hex'), Buffer.from(text, 'base64url')])
  const key = Buffer.concat([head as Buffer, coordinate(x), point as Buffer, coordinate(y)])
  const aaguid = Buffer.from('ea9b8d664d011d213ce4b6b48cb575d4', 'hex').toString('base64')
  const credential = {
    ...{ id: 'AQID', public_key: key.toString('base64'), display_name: 'Phone' },
    authenticator: { aaguid, sign_count: 0, clone_warning: false },
  }
  return { credentials: [credential], user_handle: 'AQID' }
}

test('another site cannot delete or keep an account', async () => {
  await using product = await startTestProduct()
  await signUp(product, 'ada@example.com')
  const foreign = [
    { Origin: 'https://evil.example', Cookie: 'a=b' },
    { Cookie: 'a=b' },
    { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'same-site', Cookie: 'a=b' },
  ]
  for (const headers of foreign) {
    for (const method of ['POST', 'DELETE']) {
      const response = await product.fetch('/api/v1/account/deletion', { method, headers })
      assert.deepEqual([response.status, await errorCode(response)], [403, 'forbidden'])
    }
  }
})

test('deletes an account 14 days after the request, with an email at both ends', async () => {
  const { now, wind } = clock()
  await using product = await startTestProduct({}, {}, now)
  const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
  const post = () => product.fetch('/api/v1/account/deletion', { method: 'POST', headers })
  const before = now().getTime()
  const answer = await post()
  assert.equal(answer.status, 202)
  const asked_at = Date.parse(((await answer.json()) as { due_at: string }).due_at) - 14 * DAY_MS
  assert.ok(asked_at >= before && asked_at <= now().getTime())
  assert.equal((await post()).status, 401)
  const [first] = await product.identity.listMails(1)
  assert.match(first?.subject ?? '', new RegExp(`^Your ${name} account will be deleted on `))

  wind(15 * DAY_MS)
  product.identity.start()
  await until(async () => {
    const [mail] = await product.identity.listMails(1)
    return mail?.subject === `Your ${name} account has been deleted`
  })
})

test('SEC-74 only keeping the account cancels its deletion, with an email', async () => {
  const { now, wind } = clock()
  await using product = await startTestProduct({}, {}, now)
  const call = async (method: string, token: string) =>
    await product.fetch('/api/v1/account/deletion', { method, headers: { 'X-Session-Token': token } })
  const due = async (method: string, token: string) =>
    ((await (await call(method, token)).json()) as { due_at: string | null }).due_at
  const token = await signUp(product, 'ada@example.com')
  assert.equal(await due('GET', token), null)
  const due_at = await due('POST', token)
  wind(DAY_MS)
  const back = await signIn(product, 'ada@example.com')
  assert.equal(await due('GET', back), due_at)
  assert.equal(await due('POST', back), due_at)
  const kept = await signIn(product, 'ada@example.com')
  assert.equal((await call('DELETE', kept)).status, 204)
  assert.equal((await call('DELETE', kept)).status, 204)
  assert.equal(await due('GET', kept), null)
  const subjects = (await product.identity.listMails(9)).map(({ subject }) => subject)
  assert.equal(subjects.filter((subject) => subject === `Your ${name} account stays`).length, 1)
})

for (const [path, method] of [
  ['deletion', 'POST'],
  ['export', 'GET'],
] as const) {
  test(`an old session must reauthenticate before the ${path}`, async () => {
    const { now, wind } = clock()
    await using product = await startTestProduct({}, {}, now)
    const headers = { 'X-Session-Token': await signUp(product, 'ada@example.com') }
    wind(16 * 60_000)
    const answer = await product.fetch(`/api/v1/account/${path}`, { method, headers })
    assert.deepEqual([answer.status, await errorCode(answer)], [403, 'confirmation_required'])
  })
}

async function errorCode(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code
}
