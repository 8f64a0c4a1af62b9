import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ZodError } from 'zod'
import { hasSecondFactor, sources } from './sources.ts'

test("imports Ory Kratos' account without a password", () => {
  const one = { id: 'id-1', schema_id: 'person', traits: { email: 'ada@example.com' } }
  const listed = (password: object) => ({
    ...one,
    credentials: { password: { type: 'password', config: password } },
  })
  const transfer = { sign_up: { proven: false, imported: true } }
  const expected = { traits: one.traits, external_id: 'id-1', credentials: {}, transfer }
  assert.deepEqual(sources.kratos?.(listed({}), {}), expected)
  const config = { password: 'several words of a test' }
  assert.deepEqual(sources.kratos?.(listed(config), {}), {
    ...expected,
    credentials: { password: { config } },
  })
})

test("keeps the second factors that Ory Kratos' responses contain", () => {
  const totp = { config: { totp_url: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXP' } }
  const record = {
    traits: { email: 'ada@example.com' },
    credentials: {
      password: { config: { hashed_password: '', use_password_migration_hook: true } },
      totp: { type: 'totp', identifiers: ['id-1'], ...totp },
      lookup_secret: { type: 'lookup_secret', config: {} },
    },
  }
  assert.deepEqual(sources.kratos?.(record, {}).credentials, {
    password: { config: { use_password_migration_hook: true } },
    totp,
  })
  assert.equal(hasSecondFactor(record), true)
  assert.equal(hasSecondFactor({ ...record, credentials: { totp } }), false)
})

const hashConfig = {
  base64_signer_key: 'c2lnbmVy',
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 14,
}
const verified = [{ value: 'ada@example.com', via: 'email', verified: true, status: 'completed' }]
const traits = { email: 'ada@example.com', name: 'Ada' }

const exports: [string, string, object, object][] = [
  [
    'auth0',
    'with the hash, the providers and what it blocks',
    {
      user_id: 'auth0|5f7c8ec7c33c6c004bbafe82',
      ...traits,
      email_verified: true,
      blocked: true,
      passwordHash: '$2b$10$Z6hUTEEeoJXN5/AmSm/4.eZ75RYgFVriQM9LPhNEC7kbAbS/VAaJ2',
      app_metadata: { plan: 'pro' },
      identities: [
        { provider: 'auth0', user_id: '5f7c8ec7c33c6c004bbafe82' },
        { provider: 'google-oauth2', user_id: '117' },
      ],
    },
    {
      traits,
      state: 'inactive',
      external_id: 'auth0|5f7c8ec7c33c6c004bbafe82',
      metadata_admin: { plan: 'pro' },
      verifiable_addresses: verified,
      credentials: {
        password: {
          config: { hashed_password: '$2b$10$Z6hUTEEeoJXN5/AmSm/4.eZ75RYgFVriQM9LPhNEC7kbAbS/VAaJ2' },
        },
        oidc: { config: { providers: [{ provider: 'google', subject: '117' }] } },
      },
    },
  ],
  [
    'firebase',
    'with its scrypt',
    {
      localId: 'uid1',
      email: 'ada@example.com',
      emailVerified: true,
      displayName: 'Ada',
      passwordHash: 'a-_b',
      salt: '42xEC+ixf3L2lw==',
      providerUserInfo: [{ providerId: 'github.com', rawId: '9' }],
    },
    {
      traits,
      state: 'active',
      external_id: 'uid1',
      verifiable_addresses: verified,
      credentials: {
        password: {
          config: { hashed_password: '$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$a+/b$Bw==$c2lnbmVy' },
        },
        oidc: { config: { providers: [{ provider: 'github', subject: '9' }] } },
      },
    },
  ],
  [
    'cognito',
    'without hashes, which it never gives out',
    { 'cognito:username': 'ada', sub: 'sub-1', ...traits, email_verified: 'TRUE', phone_number: '' },
    { traits, state: 'active', external_id: 'sub-1', verifiable_addresses: verified, credentials: {} },
  ],
  [
    'cognito',
    'as `list-users` shows it, without hashes too',
    {
      Username: 'ada',
      Attributes: Object.entries({ sub: 'sub-1', ...traits, email_verified: 'true' }).map(
        ([Name, Value]) => ({ Name, Value }),
      ),
      Enabled: false,
      UserStatus: 'CONFIRMED',
    },
    { traits, state: 'inactive', external_id: 'sub-1', verifiable_addresses: verified, credentials: {} },
  ],
]
for (const [name, what, record, expected] of exports) {
  test(`a user of ${name} is imported ${what}`, () => {
    const transfer = { sign_up: { proven: true, imported: true } }
    assert.deepEqual(sources[name]?.(record, { hashConfig }), { ...expected, transfer })
  })
}

for (const [name, record] of Object.entries({
  kratos: { traits: { email: 'ada@example.com' } },
  auth0: { email: 'ada@example.com' },
  firebase: { localId: 'uid1', email: 'ada@example.com' },
  cognito: { 'cognito:username': 'ada', email: 'ada@example.com' },
}))
  test(`SEC-104 an unverified account of ${name} does not count as made by an operator`, () => {
    assert.deepEqual(sources[name]?.(record, {}).transfer, { sign_up: { proven: false, imported: true } })
  })

test('rejects a record without an email address and gives the reason', () => {
  for (const [email, why] of [
    [undefined, 'is missing'],
    ['', 'is empty'],
    [7, 'must be a text'],
  ])
    assert.throws(
      () => sources.auth0?.({ email }, {}),
      (error) => error instanceof ZodError && error.issues[0]?.message === why,
    )
})

test('a Firebase hash without parameters is refused with advice', () => {
  const record = { localId: 'uid1', email: 'ada@example.com', passwordHash: 'x', salt: 'y' }
  assert.throws(() => sources.firebase?.(record, {}), /--hash-config/)
})
