import assert from 'node:assert/strict'
import type { Answer } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, openTestDatabase, test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { TOKENIZER } from '../../kit/held-credentials.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const CONFIG = {
  ...TOKENIZER,
  selfservice: { methods: { ...SECOND_FACTORS.selfservice.methods, code: { passwordless_enabled: true } } },
}

const EVE = 'eve@example.com'
const NOTE = 'a note for operators'

const NAMES = [
  ...['id', 'state', 'role', 'roles', 'identity_id', 'userId', 'user_id', 'nid', 'schema_id', 'schema_url'],
  ...['external_id', 'metadata_admin', 'metadata_public', 'credentials', 'verified', 'email_verified'],
  ...['verifiable_addresses', 'recovery_addresses', 'addresses', 'aal', 'available_aal', 'created_at'],
  ...['updated_at', 'state_changed_at', 'organization_id', 'isAdmin', 'is_admin', 'permissions', 'session'],
  ...['session_token', 'sessions', 'authenticated_at', 'expires_at', 'issued_at', 'identity', 'memo', 'put'],
  ...[
    'remove',
    'proved',
    'completion',
    'spend',
    'address_id',
    'active',
    'by_operator',
    'privileged',
    'version',
  ],
  ...['constructor', 'prototype', 'hashed_password', 'lifespan'],
]

const FILLINGS: readonly unknown[] = [
  'inactive',
  { role: 'admin', state: 'inactive', verified: true },
  [{ value: ADA, via: 'email', verified: true }],
  true,
]

interface Scene {
  readonly identity: TestIdentity
  readonly ada: Browser
  readonly secret: string
}

const WRITES: Record<string, (scene: Scene, extra: object) => Promise<Answer>> = {
  'sign in by password': async ({ identity }, extra) => {
    const browser = identity.browser()
    const values = { method: 'password', identifier: ADA, password: PASSWORD }
    return await browser.submit(await browser.open('login'), { ...extra, ...values })
  },
  'sign in by code': async ({ identity }, extra) => {
    const browser = identity.browser()
    const form = await browser.open('login')
    return await browser.submit(form, { ...extra, method: 'code', identifier: ADA })
  },
  'sign in by second factor': async ({ identity, secret }, extra) => {
    const browser = identity.browser()
    await browser.signIn(ADA)
    const values = { method: 'totp', totp_code: codeOf(identity, secret) }
    return await browser.submit(await browser.open('login', '?aal=aal2'), { ...extra, ...values })
  },
  profile: async ({ ada }, extra) => {
    const values = { method: 'profile', traits: { email: ADA } }
    return await ada.submit(await ada.open('settings'), { ...extra, ...values })
  },
  'profile, inside of the traits': async ({ ada }, extra) => {
    const values = { method: 'profile', traits: { ...extra, email: ADA } }
    const answer = await ada.submit(await ada.open('settings'), values)
    assert.equal(answer.status, Object.keys(extra).length === 0 ? 200 : 400)
    return answer
  },
  'new backup codes': async ({ ada }, extra) => {
    const values = { method: 'lookup_secret', lookup_secret_regenerate: true }
    return await ada.submit(await ada.open('settings'), { ...extra, ...values })
  },
  recovery: async ({ identity }, extra) => {
    const browser = identity.browser()
    return await browser.submit(await browser.open('recovery'), { ...extra, method: 'code', email: ADA })
  },
  verification: async ({ identity }, extra) => {
    const browser = identity.browser()
    return await browser.submit(await browser.open('verification'), { ...extra, method: 'code', email: ADA })
  },
  'registration under a taken address': async ({ identity }, extra) => {
    const browser = identity.browser()
    const values = { method: 'password', password: 'another horse 9', traits: { email: ADA } }
    return await browser.submit(await browser.open('registration'), { ...extra, ...values })
  },
  'registration, inside of the traits': async ({ identity }, extra) => {
    const browser = identity.browser()
    const values = { method: 'password', password: PASSWORD, traits: { ...extra, email: EVE } }
    const answer = await browser.submit(await browser.open('registration'), values)
    assert.equal(answer.status, Object.keys(extra).length === 0 ? 200 : 400)
    return answer
  },
}

test('SEC-57 forty extra members change no stored byte', async () => {
  const { scene, stored } = await withAda()
  assert.ok(NAMES.length >= 40)
  for (const [name, write] of Object.entries(WRITES)) {
    await write(scene, {})
    const before = await stored()
    for (const filling of FILLINGS) {
      scene.identity.advance(30_000)
      const extra = Object.fromEntries(NAMES.map((member) => [member, filling]))
      const answer = await write(scene, { ...extra, ...JSON.parse('{"__proto__":{"state":"inactive"}}') })
      const told = JSON.stringify(answer.body)
      assert.ok(answer.status < 500, `${name}: ${told}`)
      assert.equal(told.includes(NOTE) || told.includes('"metadata_admin":'), false, name)
      assert.deepEqual(await stored(), before, name)
    }
  }
})

test('SEC-57 forty extra members do not affect a new account', async () => {
  const { scene, stored } = await withAda()
  const make = async (email: string, extra: object) => {
    const browser = scene.identity.browser()
    const values = { method: 'password', password: PASSWORD, traits: { email } }
    const done = await browser.submit(await browser.open('registration'), { ...extra, ...values })
    assert.equal(done.status, 200)
  }
  await make('new1@example.com', {})
  for (const [n, filling] of FILLINGS.entries()) {
    await make(`new${n + 2}@example.com`, Object.fromEntries(NAMES.map((member) => [member, filling])))
  }
  const rows = Object.values(await stored()).flatMap((table) =>
    table.filter((row) => JSON.stringify(row).includes('new')).map(blank),
  )
  const plain = rows.filter((row) => row.includes('newN'))
  assert.equal(new Set(plain).size, plain.length / (FILLINGS.length + 1))
})

test('SEC-57 no public response contains operator metadata', async () => {
  const { scene } = await withAda()
  const { ada, identity } = scene
  const app = identity.app()
  const done = await app.signIn(ADA)
  const answers = [
    done,
    await ada.whoami(),
    await ada.whoami('?tokenize_as=my_app_jwt'),
    await ada.get('/sessions'),
    await ada.open('settings'),
    await ada.open('login', '?refresh=true'),
    await ada.get('/schemas'),
    await WRITES.profile?.(scene, {}),
  ]
  const jwt = answers[2]?.body.tokenized.split('.')[1]
  const seen =
    JSON.stringify(answers.map((answer) => answer?.body)) + Buffer.from(jwt, 'base64url').toString()
  assert.ok(seen.includes(ADA))
  assert.equal(seen.includes(NOTE) || seen.includes('metadata_admin'), false)
})

async function withAda() {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ ...CONFIG, dsn })
  await identity.admin('POST', '/admin/identities', {
    traits: { email: ADA },
    metadata_admin: { note: NOTE },
    credentials: { password: { config: { password: PASSWORD } } },
    verifiable_addresses: [{ value: ADA, via: 'email', verified: true, status: 'completed' }],
  })
  const ada = identity.browser()
  await ada.signIn(ADA)
  const secret = await addTotp(identity, ada)
  const db = await openTestDatabase(dsn)
  const stored = async () => ({
    identities: (await db.selectFrom('identities').selectAll().orderBy('id').execute()).map(settled),
    addresses: (await db.selectFrom('addresses').selectAll().orderBy('id').execute()).map(settled),
  })
  return { scene: { identity, ada, secret }, stored }
}

function settled<Row extends object>(row: Row): Row & { updated_at: string } {
  return { ...row, updated_at: '' }
}

function blank(row: object): string {
  return JSON.stringify(row)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replace(/new\d/g, 'newN')
}
