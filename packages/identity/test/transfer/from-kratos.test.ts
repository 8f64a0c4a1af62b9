import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Answer } from '../../src/testing/answers.ts'
import { Authenticator, optionsIn, RP } from '../../src/testing/authenticator.ts'
import type { VerifiableAddress } from '../../src/wire/wire.ts'
import { newDsn, test, testOnEach } from '../kit/databases.ts'
import { codeOf } from '../kit/factors.ts'
import { createTestIdentity, type Merge, type TestIdentity, userSchema } from '../kit/kit.ts'
import { enter } from '../kit/passkeys.ts'

const SQL = readFileSync(new URL('kratos.sql', import.meta.url), 'utf8')

const CONFIG = {
  secrets: {
    default: ['a secret of the tests, long enough to be one'],
    cookie: ['a-cookie-secret-that-everybody-knows'],
  },
  selfservice: {
    methods: {
      totp: { enabled: true },
      lookup_secret: { enabled: true },
      passkey: { enabled: true, config: { rp: RP } },
      webauthn: { enabled: true, config: { rp: RP } },
    },
    flows: { settings: { ui_url: 'http://app.test/settings' } },
  },
  session: { whoami: { required_aal: 'aal1' } },
  identity: { default_schema_id: 'person', schemas: [{ id: 'person', schema: userSchema }] },
}

// Facts about the users of kratos.sql.
const ADA = '9321b94d-5f25-4649-b74c-4863e15f2b8a'
const ADA_TOKEN = 'ory_st_MVOYEtD5XftQgnI0o4XYvV2WukpxAzCn'
const ADA_TOTP = 'UOXDZTPF7Q3VB7BULTFBCHLI66G5VOA3'
const [ADA_SPENT_CODE, ADA_CODE] = ['8waediif', '0zpnn3xp']
const ADA_COOKIE =
  'MTc5NTUyNzYzMHwwel9RbFdWbDFzRzdfOXVHWFJQakdSTjRBaGFFQm43Q252eG56UUNhbVFNMlc1UXJTT3R5dnNCTXRLN3hueTVDQlJ1TjBXV0Y4MzRNWng0RGx0MXdldy1Da3VyUWZ2MDhwSE1hR2w0ZkprNDNUYWdLa21DeGVZenItX3hPNmxnc0FyUUxmNUdiaUMyZFBENE1vUlJOR1dRd24xVmNINzZpdXpXbGN3czNHN1JYU3gzZW9uQUhqdDE0TzZST09tNFVDclQ4M21TNmRTM0wxeVREaTFLazU4OUdyelEteXZRbkdGZFJTM21wYnllLW8zaU9CU1BSTnVWWHhtVDNaY0xreklRejlqRDJHVFg2cjdKV0JKbjR8LSVhxyyJr32V2q3WceObdhH19mc-XrCnCbPFF6878qk='
const BOB_PASSKEY = {
  id: 'SR0w7-DfiZnFLP-DljcLKZJ20skNJ-5Mj2PccMib_Iw',
  userHandle: 'WXNGc0ZJczVvN0gyNm1rREZIcTBzMVBYaU9vY3k3N29pUlBxWXFoU3lGeHJRRDl6bldzM2lJa1ZQcDBJYzMzWQ',
  counter: 1,
  pkcs8:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/1qoovD+LhQQQWctxCSiGBkWSkM52wBEJFqwQNld+ZGhRANCAAQhob+79ojluTZL/1dUShrPrqxGAVEqicih0s3E+oA6otW268rFpCWyktBbB7/4ThnWOX1wO8Mp2tuGef0VClXK',
}
const BOB_SECURITY_KEY = {
  id: 'vV8gmHI6h5GpOhYTFTH5tsxE5Zay7rEFqktFMKrbDHs',
  userHandle: '1Zh-7F8LTKKLg1H8oKfDlQ',
  counter: 0,
  pkcs8:
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgG2HhJ9PrPwHD9Bu/nfFa0hlCQHMKw8YriDZCD5aN+nChRANCAASm3kEcNE1p/HXWNIwoM3bBm+H8+U0F6kFW2RR3JpWW/xyLjRF6YGREP1NTFCaYQOPo69TUFdDZ08rrIu6iN2u2',
}
const EVE_ENDED_TOKEN = 'ory_st_3IZ1GQQ5ZiiFvY6IqLZsEBvGhkKUuuKq'

testOnEach('users of an Ory Kratos stay signed in, and sign in as before', async () => {
  const { identity, imported } = await moved()
  assert.deepEqual(imported, {
    counts: { accounts: 5, credentials: 15, sessions: 7, present: 0, dropped: 0 },
    dropped: [],
  })
  const app = (token: string) =>
    identity.browser().get('/sessions/whoami', { headers: { 'x-session-token': token } })
  assert.equal((await app(ADA_TOKEN)).body.identity.id, ADA)
  assert.equal((await app(EVE_ENDED_TOKEN)).status, 401)

  const browser = identity.browser()
  browser.cookies.set('ory_kratos_session', ADA_COOKIE)
  const session = await browser.whoami()
  assert.equal(session.body.authenticator_assurance_level, 'aal2')
  // After a return to Kratos, it still works there.
  assert.equal(browser.cookies.get('ory_kratos_session'), ADA_COOKIE)
  assert.equal((await browser.open('settings')).status, 200)

  assert.equal(
    (await secondFactor(identity, { method: 'totp', totp_code: codeOf(identity, ADA_TOTP) })).status,
    200,
  )
  assert.equal(
    (await secondFactor(identity, { method: 'lookup_secret', lookup_secret: ADA_CODE })).status,
    200,
  )
  assert.equal(
    (await secondFactor(identity, { method: 'lookup_secret', lookup_secret: ADA_SPENT_CODE })).status,
    400,
  )

  const bob = identity.browser()
  assert.equal((await enter(bob, held(BOB_PASSKEY))).status, 200)
  const flow = await bob.open('login', '?aal=aal2')
  const webauthn_login = held(BOB_SECURITY_KEY).get(optionsIn(flow, 'webauthn_login_trigger'))
  const answer = { identifier: 'bob@example.com', webauthn_login }
  assert.equal((await bob.submit(flow, answer)).status, 200)
})

test('SEC-104 no account of Ory Kratos counts as made by an operator', async () => {
  const { identity } = await moved()
  const { body } = await identity.admin('GET', '/admin/identities?include_transfer=true')
  const isProven = (one: { verifiable_addresses?: readonly VerifiableAddress[] }) =>
    one.verifiable_addresses?.some(({ verified }) => verified) ?? false
  for (const account of body)
    assert.deepEqual(account.transfer.sign_up, { proven: isProven(account), imported: true })
  assert.equal(new Set(body.map(isProven)).size, 2)
})

test('imported accounts are as they were', async () => {
  const { identity } = await moved()
  const ada = (await identity.admin('GET', `/admin/identities/${ADA}`)).body
  const addresses: VerifiableAddress[] = ada.verifiable_addresses
  assert.deepEqual(
    addresses.map(({ value, status, verified_at }) => [value, status, verified_at]),
    [
      ['+4915112345678', 'sent', undefined],
      ['ada@example.com', 'completed', '2026-11-24T13:40:30.403Z'],
    ],
  )
  assert.deepEqual(ada.recovery_addresses.map((one: { value: string }) => one.value).sort(), [
    '+4915112345678',
    'ada@example.com',
  ])
  const { external_id, metadata_public, metadata_admin, created_at } = ada
  assert.deepEqual(
    { external_id, metadata_public, metadata_admin, created_at },
    {
      external_id: 'crm-1',
      metadata_public: { roles: ['admin'] },
      metadata_admin: { note: 'first' },
      created_at: '2026-11-24T13:40:30.402Z',
    },
  )
  const found = await identity.admin(
    'GET',
    '/admin/identities?credentials_identifier=dan@example.com&include_credential=oidc',
  )
  const [dan] = found.body
  assert.equal(dan.state, 'inactive')
  assert.deepEqual(dan.credentials.oidc.identifiers, ['example:dan-at-example'])
})

test('a second import adds nothing', async () => {
  const { identity, source } = await moved()
  const again = await importFrom(identity, source)
  assert.deepEqual(again.counts, { accounts: 0, credentials: 0, sessions: 0, present: 5, dropped: 0 })
})

testOnEach('names each row that is left out, and why', async () => {
  const source = await kratosDatabase(`
    update identity_credentials set config = '{"hashed_password":"plain"}' where config like '%argon2%' and identity_id = '${ADA}';
    update identities set schema_id = 'robot' where traits like '%bob@%';
    insert into identity_credential_types values ('00000000-0000-4000-8000-000000000000', 'saml');
    update identity_credentials set identity_credential_type_id = '00000000-0000-4000-8000-000000000000' where config like '%cleo-at%';`)
  const identity = await createTestIdentity(CONFIG)
  await identity.user('eve@example.com')
  const { counts, dropped } = await importFrom(identity, source)
  assert.equal(counts.accounts, 3)
  assert.deepEqual(dropped.map((line) => line.replace(/ [0-9a-f-]{36}/, '')).sort(), [
    'identities: another account here has its address, identifier or external id. Delete that account, or import into an empty database',
    'identities: its schema is missing. Add "robot" to identity.schemas',
    'identity_credentials: login with saml is not supported',
    'identity_credentials: the format of the password hash is unknown. The user can recover the account',
  ])
})

testOnEach('does not start on a database of Ory Kratos', async () => {
  await assert.rejects(createTestIdentity({ dsn: await kratosDatabase() }), /belongs to Ory Kratos/)
})

testOnEach('refuses a database that is none of Kratos', async () => {
  const identity = await createTestIdentity(CONFIG)
  await assert.rejects(
    importFrom(identity, await newDsn({ shared: true, empty: true })),
    /must be a database of Ory Kratos v26\.2\.0/,
  )
})

async function moved() {
  const source = await kratosDatabase()
  const identity = await createTestIdentity(CONFIG)
  return { identity, source, imported: await importFrom(identity, source) }
}

async function kratosDatabase(changes = ''): Promise<string> {
  const dsn = await newDsn({ shared: true, empty: true })
  if (dsn.startsWith('postgres')) {
    const client = new pg.Client(dsn)
    await client.connect()
    await client.query(SQL + changes.replaceAll(/(config|traits) like/g, '$1::text like'))
    await client.end()
  } else {
    const database = new DatabaseSync(dsn)
    database.exec(SQL + changes)
    database.close()
  }
  return dsn
}

async function importFrom(identity: TestIdentity, dsn: string) {
  const dropped: string[] = []
  const counts = await identity.importFromKratos(dsn, {
    onDrop: (table, id, reason) => void dropped.push(`${table} ${id}: ${reason}`),
    onProgress: () => {},
  })
  return { counts, dropped }
}

async function secondFactor(identity: TestIdentity, proof: Merge): Promise<Answer> {
  const browser = identity.browser()
  assert.equal((await browser.signIn('ada@example.com')).status, 200)
  return await browser.submit(await browser.open('login', '?aal=aal2'), proof)
}

function held({ pkcs8, ...key }: typeof BOB_PASSKEY): Authenticator {
  const authenticator = new Authenticator()
  const der = { key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' } as const
  authenticator.keys.push({ ...key, key: createPrivateKey(der) })
  return authenticator
}
