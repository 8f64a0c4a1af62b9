import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { userSchema } from '../../test/kit/kit.ts'
import type { Context, Strategy } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { newId } from '../crypto/random.ts'
import { FormError } from '../errors/errors.ts'
import { createProductHooks } from '../extension/product-hooks.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { findCredential, listCredentials } from '../storage/identities/credentials.ts'
import { findIdentity } from '../storage/identities/identities.ts'
import { findSession, insertSession } from '../storage/sessions/sessions.ts'
import { createIdentity } from './create.ts'
import { compileSchemas } from './schema/schema.ts'
import { updateIdentity } from './update.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const TOTP = { type: 'totp' as const, identifiers: [], config: { totp_url: 'otpauth://totp/x' } }

test('identifiers and addresses follow the traits, and an unchanged address stays verified', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  const named = await change(ctx, ada.id, { traits: { email: 'Ada@example.com', name: 'Ada' } })
  assert.deepEqual(named.addresses, ada.addresses)
  const moved = await change(ctx, ada.id, { traits: { email: 'new@example.com' } })
  assert.deepEqual(
    moved.addresses.map(({ purpose, value, status }) => [purpose, value, status]),
    [
      ['verification', 'new@example.com', 'pending'],
      ['recovery', 'new@example.com', 'pending'],
    ],
  )
  assert.equal(await findCredential(ctx.db, 'password', 'ada@example.com'), undefined)
  assert.equal((await findCredential(ctx.db, 'password', 'new@example.com'))?.identity_id, ada.id)
})

test('a change that conflicts with another identity changes nothing', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  await user(ctx, 'eve@example.com')
  const credentials = await listCredentials(ctx.db, ada.id)
  const taking = change(ctx, ada.id, {
    traits: { email: 'eve@example.com' },
    put: [{ type: 'password', identifiers: ['ada@example.com'], config: { hashed_password: 'other' } }],
    remove: ['totp'],
  })
  await assert.rejects(
    taking,
    (error) => error instanceof FormError && error.entries[0]?.message.id === 4000007,
  )
  assert.deepEqual(await findIdentity(ctx.db, ada.id), ada)
  assert.deepEqual(await listCredentials(ctx.db, ada.id), credentials)
})

test("concurrent changes of one account see each other's second factor", async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  await change(ctx, ada.id, { remove: ['totp'] })
  const others = [1, 2, 3, 4, 5].map((n) =>
    change(ctx, ada.id, { traits: { email: `ada-${n}@example.com` } }),
  )
  await Promise.all([...others, change(ctx, ada.id, { put: [TOTP] })])
  const changed = await findIdentity(ctx.db, ada.id)
  assert.equal(changed?.available_aal, 'aal2')
  assert.equal(changed?.addresses.length, 2)
})

test('one of many concurrent changes to one address succeeds', async () => {
  const ctx = await context()
  const users = await Promise.all([1, 2, 3, 4, 5].map((n) => user(ctx, `user-${n}@example.com`)))
  const taken = await Promise.allSettled(
    users.map(({ id }) => change(ctx, id, { traits: { email: 'wanted@example.com' } })),
  )
  assert.equal(taken.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('a password that was chosen before a change of address signs in with the new one', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  await change(ctx, ada.id, { traits: { email: 'new@example.com' } })
  const config = { hashed_password: 'new' }
  await change(ctx, ada.id, { put: [{ type: 'password', identifiers: ['ada@example.com'], config }] })
  assert.equal(await findCredential(ctx.db, 'password', 'ada@example.com'), undefined)
  assert.deepEqual((await findCredential(ctx.db, 'password', 'new@example.com'))?.config, config)
})

test('SEC-04 a change of a credential that was removed and added meanwhile is refused', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  await change(ctx, ada.id, { put: [TOTP] })
  const before = (await listCredentials(ctx.db, ada.id)).find(({ type }) => type === 'totp')
  await change(ctx, ada.id, { remove: ['totp'] })
  await change({ ...ctx, now: () => new Date(Date.parse(NOW) + 1) }, ada.id, { put: [TOTP] })
  const stale = change(ctx, ada.id, {
    remove: ['totp'],
    expects: { type: 'totp', previousCredential: before },
  })
  await assert.rejects(stale, FormError)
})

test('a credential is replaced as a whole, with a new version', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  const put = [
    { type: 'password' as const, identifiers: ['ada@example.com'], config: { hashed_password: 'new' } },
  ]
  await change(ctx, ada.id, { put })
  const found = await listCredentials(ctx.db, ada.id)
  const passwords = found.filter(({ type }) => type === 'password')
  assert.deepEqual(
    passwords.map(({ config, version }) => [config, version]),
    [[{ hashed_password: 'new' }, 1]],
  )
})

test('SEC-16 removing the last second factor lowers sessions to aal1', async () => {
  const ctx = await context()
  const ada = await user(ctx, 'ada@example.com')
  assert.equal((await change(ctx, ada.id, { put: [TOTP] })).available_aal, 'aal2')
  const codes = { type: 'lookup_secret' as const, identifiers: [], config: {} }
  await change(ctx, ada.id, { put: [codes] })
  const session = await strongSession(ctx, ada.id)
  await change(ctx, ada.id, { remove: ['totp'] })
  assert.equal((await findSession(ctx.db, session))?.session.aal, 'aal2')
  assert.equal((await change(ctx, ada.id, { remove: ['lookup_secret'] })).available_aal, 'aal1')
  assert.equal((await findSession(ctx.db, session))?.session.aal, 'aal1')
})

test('sessions keep aal2 while codes are a second factor', async () => {
  const ctx = await context({ codesAreFactors: true })
  const ada = await user(ctx, 'ada@example.com')
  await change(ctx, ada.id, { put: [TOTP] })
  const session = await strongSession(ctx, ada.id)
  assert.equal((await change(ctx, ada.id, { remove: ['totp'] })).available_aal, 'aal1')
  assert.equal((await findSession(ctx.db, session))?.session.aal, 'aal2')
})

const change = (ctx: Context, id: string, what: Parameters<typeof updateIdentity>[2]) =>
  transact(ctx, async (ctx) => (await updateIdentity(ctx, id, what)).identity)

function user(ctx: Context, email: string) {
  const credentials = [
    { type: 'password' as const, identifiers: [email], config: { hashed_password: 'hash' } },
  ]
  const draft = { schema: ctx.schemas.default, traits: { email }, credentials, verified: [{ value: email }] }
  return transact(ctx, (ctx) => createIdentity(ctx, draft))
}

async function strongSession(ctx: Context, identity_id: string): Promise<string> {
  const id = newId()
  const times = { issued_at: NOW, authenticated_at: NOW, expires_at: '2031-04-03T09:00:00.000Z' }
  await insertSession(ctx.db, { id, identity_id, aal: 'aal2', methods: [], devices: [], ...times }, id)
  return id
}

async function context({ codesAreFactors = false } = {}): Promise<Context> {
  const factor = (id: Strategy['id'], aal: 'aal1' | 'aal2'): Strategy => {
    return { id, group: 'default', admin: undefined, enabled: () => true, steps: {}, factors: () => [aal] }
  }
  const strategies = [factor('password', 'aal1'), factor('totp', 'aal2'), factor('lookup_secret', 'aal2')]
  const schemas = compileSchemas([{ id: 'default', schema: userSchema }], 'default')
  const db = await openTestDatabase()
  const log = { info: () => {} }
  const metrics = createMetrics(METRICS)
  const product = createProductHooks({}, db)
  const config = { selfservice: { methods: { code: { enabled: true, mfa_enabled: codesAreFactors } } } }
  return {
    db,
    config,
    strategies,
    schemas,
    log,
    metrics,
    product,
    now: () => new Date(NOW),
  } as unknown as Context
}
