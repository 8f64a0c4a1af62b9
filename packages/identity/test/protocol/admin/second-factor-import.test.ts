import assert from 'node:assert/strict'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, atSecondFactor, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, merge, type TestIdentity } from '../../kit/kit.ts'
import { enter, PASSKEYS, withPasskey } from '../../kit/passkeys.ts'

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const TOTP_URL = `otpauth://totp/Kratos:ada?algorithm=SHA1&digits=6&issuer=Kratos&period=30&secret=${SECRET}`
const CODES = [
  { code: 'abcd1234' },
  { code: 'efgh5678', used_at: '2026-01-02T03:04:05Z' },
  { code: 'ijkl9012' },
]
const config = (members: object) => ({ type: 'any', identifiers: [], config: members, version: 0 })

function importAda(identity: TestIdentity, credentials: object) {
  const password = { config: { password: PASSWORD } }
  return identity.admin('POST', '/admin/identities', {
    traits: { email: ADA },
    credentials: { password, ...credentials },
  })
}

test('imports authenticator apps and backup codes in the form of Kratos', async () => {
  const identity = await createTestIdentity(SECOND_FACTORS)
  const totp = config({ totp_url: TOTP_URL })
  const lookup_secret = config({ recovery_codes: CODES })
  assert.equal((await importAda(identity, { totp, lookup_secret })).status, 201)
  const app = await atSecondFactor(identity)
  const values = { method: 'totp', totp_code: codeOf(identity, SECRET) }
  assert.equal((await app.browser.submit(app.flow, values)).status, 200)
  const statuses: number[] = []
  for (const { code } of CODES) {
    const { browser, flow } = await atSecondFactor(identity)
    statuses.push((await browser.submit(flow, { method: 'lookup_secret', lookup_secret: code })).status)
  }
  assert.deepEqual(statuses, [200, 400, 200])
})

test('adds them to an account by PUT, and a batch creates accounts with them', async () => {
  const identity = await createTestIdentity(SECOND_FACTORS)
  const { body } = await importAda(identity, {})
  const lookup_secret = config({ recovery_codes: CODES })
  const path = `/admin/identities/${body.id}`
  const changed = { schema_id: 'default', state: 'active', traits: { email: ADA } }
  assert.equal(
    (await identity.admin('PUT', path, { ...changed, credentials: { lookup_secret } })).status,
    200,
  )
  const { browser, flow } = await atSecondFactor(identity)
  assert.equal(
    (await browser.submit(flow, { method: 'lookup_secret', lookup_secret: 'abcd1234' })).status,
    200,
  )
  const totp = config({ totp_url: TOTP_URL })
  const create = { traits: { email: 'bob@my-app.test' }, credentials: { totp } }
  const made = await identity.admin('PATCH', '/admin/identities', { identities: [{ create }] })
  assert.equal(made.body.identities[0].action, 'create')
})

test('signs in with an imported passkey', async () => {
  const before = await createTestIdentity(PASSKEYS)
  const { key } = await withPasskey(before, ADA)
  const [stored] = (await before.admin('GET', '/admin/identities?include_credential=passkey')).body
  const { passkey } = stored.credentials
  const [{ id, public_key, authenticator }] = passkey.config.credentials
  const bytes = [passkey.config.user_handle, id, public_key, authenticator.aaguid]
  for (const one of bytes) assert.match(one, /^[A-Za-z0-9+/]{4,}={0,2}$/)
  const after = await createTestIdentity(PASSKEYS)
  assert.equal((await importAda(after, { passkey })).status, 201)
  assert.equal((await enter(after.browser(), key)).status, 200)
})

const KEY = { id: 'AQID', public_key: 'AQID' }

for (const [name, credentials, reason] of [
  [
    'longer codes',
    { totp: config({ totp_url: TOTP_URL.replace('digits=6', 'digits=8') }) },
    /totp_url: expected digits 6/,
  ],
  [
    'a short secret',
    { totp: config({ totp_url: TOTP_URL.replace(SECRET, 'ABCD') }) },
    /expected a secret in base32/,
  ],
  ['no URL', { totp: config({ totp_url: 'ABCD' }) }, /totp_url: Invalid URL/],
  ['no codes', { lookup_secret: config({ recovery_codes: [] }) }, /lookup_secret\.config\.recovery_codes/],
  [
    'D72 a broken key',
    { passkey: config({ credentials: [KEY], user_handle: 'AQID' }) },
    /0\.public_key is not a usable COSE key/,
  ],
  [
    'a passkey without its user',
    { passkey: config({ credentials: [KEY] }) },
    /passkey\.config\.user_handle is missing/,
  ],
] as const) {
  test(`refuses ${name} with the reason`, async () => {
    const identity = await createTestIdentity(merge(SECOND_FACTORS, PASSKEYS))
    const { status, body } = await importAda(identity, credentials)
    assert.equal(status, 400)
    assert.match(`${body.error.reason} ${body.error.message}`, reason)
  })
}
