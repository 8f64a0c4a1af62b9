import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../src/storage/db.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import type { FlowKind } from '../../../src/wire/wire.ts'
import { newDsn, openTestDatabase, test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, merge, VERIFIED_ONLY } from '../../kit/kit.ts'
import { PASSKEYS, register } from '../../kit/passkeys.ts'
import { ADA, BY_LINK } from '../../kit/recovery-kit.ts'
import { idToken } from '../../servers/broken-provider.ts'
import { withBroken } from '../../servers/oidc-kit.ts'

// By a client without an account.

const LONG = 'a'.repeat(20_000)

const LONG_FORMS: readonly (readonly [FlowKind, (n: number) => object])[] = [
  ['login', () => ({ method: 'password', identifier: LONG, password: 'x' })],
  ['login', () => ({ method: 'password', identifier: 'a', password: LONG })],
  ['login', () => ({ method: 'code', identifier: LONG })],
  ['registration', () => ({ method: 'password', password: 'x', traits: { email: LONG } })],
  ['registration', () => ({ method: 'profile', traits: { email: ADA, name: LONG } })],
  [
    'registration',
    (n) => ({ method: 'password', password: 'x', traits: { email: ADA, [unknown(n)]: LONG } }),
  ],
  ['registration', (n) => ({ method: 'profile', traits: { email: ADA, [unknown(n)]: 'x' } })],
  ['recovery', () => ({ method: 'code', email: LONG })],
  ['recovery', () => ({ method: 'code', email: `${LONG}@example.com` })],
  ['recovery', () => ({ method: LONG, email: LONG })],
  ['verification', () => ({ method: 'code', email: LONG })],
  ['verification', () => ({ method: 'code', code: LONG })],
  ['verification', () => ({ email: LONG })],
]

const unknown = (n: number) => `${n}${'k'.repeat(190)}`

test('FLT-23 a repeatedly refused form stays small', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  for (const [kind, values] of LONG_FORMS) {
    for (const client of [identity.browser(), identity.app()]) {
      const form = await client.open(kind)
      for (let n = 0; n < 5; n++)
        await client.submit(form as never, { transient_payload: { LONG }, ...values(n) })
      const rows = await db.selectFrom('flows').select('body').where('id', '=', form.body.id).execute()
      const size = rows.reduce((sum, { body }) => sum + body.length, 0)
      assert.ok(size < 30_000, `${kind} with ${JSON.stringify(values(0)).slice(0, 40)}: ${size} characters`)
    }
  }
})

test('FLT-23 a form that leaves for a provider stays small', async () => {
  const dsn = await newDsn({ shared: true })
  const { identity } = await withBroken('google', {}, { dsn })
  const db = await openTestDatabase(dsn)
  const client = identity.browser()
  for (const kind of ['login', 'registration'] as const)
    for (const sent of [{ traits: { email: ADA, name: LONG } }, { transient_payload: { LONG } }]) {
      const form = await client.open(kind)
      const values = { method: 'oidc', provider: 'acme', ...sent }
      assert.equal((await client.submit(form as never, values)).status, 413)
      const [row] = await db.selectFrom('flows').select('body').where('id', '=', form.body.id).execute()
      assert.ok((row?.body.length ?? 0) < 30_000)
    }
})

test('SEC-66 a flow stores the needed part of a long address', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  for (const kind of ['login', 'registration', 'recovery', 'verification'] as const)
    for (const client of [identity.browser(), identity.app()]) {
      const to = 'http://app.test/after'
      const short = await client.open(kind, `?utm_source=news&return_to=${to}`)
      assert.match(short.body.request_url, /utm_source=news/)
      const long = await client.open(
        kind,
        `?junk=${'j'.repeat(6000)}&return_to=${to}&organization=${LONG.slice(0, 1900)}`,
      )
      const url = new URL(long.body.request_url)
      assert.ok(url.href.length <= 2048)
      assert.deepEqual([url.searchParams.get('return_to'), url.searchParams.get('junk')], [to, null])
      const [row] = await db.selectFrom('flows').select('body').where('id', '=', long.body.id).execute()
      const [least] = await db.selectFrom('flows').select('body').where('id', '=', short.body.id).execute()
      assert.ok((row?.body.length ?? 0) < (least?.body.length ?? 0) + 2048)
    }
})

test('shows long values again that an honest user may enter', async () => {
  const { identity } = await withDatabase()
  const browser = identity.browser()
  const traits = { email: ADA, name: 'a name '.repeat(700) }
  const refused = await browser.submit(await browser.open('registration'), { method: 'password', traits })
  assert.ok(JSON.stringify(refused.body.ui.nodes).includes(traits.name))
})

const HIDING = { security: { account_enumeration: { mitigate: true } } }

const TIGHT = { limits: { flow: { client: { burst: 20, refill: '1h' } } } }

const DOORS: Readonly<Record<string, string>> = {
  'an address that leads to the error page': '/self-service/login?flow=none',
  'a sign-out without a session': '/self-service/logout?token=none',
  'an old link to recover an account': '/self-service/recovery?code=123456&flow=',
  'an old link to verify an address': '/self-service/verification?token=none&flow=',
}

for (const [name, path] of Object.entries(DOORS)) {
  test(`FLT-23 repeating ${name} adds no row each time`, async () => {
    const { identity, db } = await withDatabase(TIGHT)
    const browser = identity.browser()
    const statuses = new Set<number>()
    for (let n = 0; n < 60; n++) {
      const opened = await browser.navigate(path.endsWith('=') ? path + randomUUID() : path)
      statuses.add(opened.status)
    }
    assert.equal((await count(db, 'flows')) + (await count(db, 'errors')), 20)
    assert.ok(statuses.has(303) && statuses.size === 2, [...statuses].join(', '))
  })
}

test('FLT-23 an expired form cannot exceed the flow limit', async () => {
  for (const kind of ['login', 'registration', 'recovery', 'verification'] as const) {
    const { identity, db } = await withDatabase(TIGHT)
    const app = identity.app()
    const form = await app.open(kind)
    identity.advance(16 * 60_000)
    for (let n = 0; n < 60; n++)
      await app.submit(form, { method: 'password', identifier: 'a', password: 'b' })
    assert.ok((await count(db, 'flows')) <= 20, kind)
  }
})

test('FLT-23 an attacked account stores compared guesses only', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('login')
  for (let n = 0; n < 150; n++) {
    app.address = `2001:db8::${n.toString(16)}`
    await app.submit(form, { method: 'password', identifier: ADA, password: 'wrong' })
  }
  assert.equal(await count(db, 'events'), 10 + 5)
})

test('FLT-23 saving settings cannot exceed the flow limit', async () => {
  const { identity, db } = await withDatabase(merge(TIGHT, { limits: { flow: { own: { burst: 5 } } } }))
  const browser = await identity.signedIn(ADA)
  const form = await browser.open('settings')
  for (let n = 0; n < 60; n++)
    await browser.submit(form, { method: 'profile', traits: { email: ADA, name: `${n}` } })
  assert.ok((await count(db, 'flows')) <= 21 + 5)
})

test("FLT-23 an unverified account's passkey cannot exceed the flow limit", async () => {
  const { identity, db } = await withDatabase(merge(merge(VERIFIED_ONLY, PASSKEYS), { ...TIGHT, ...HIDING }))
  const [browser, key] = [identity.browser(), new Authenticator()]
  assert.equal((await register(browser, key, ADA)).status, 200)
  let form = await browser.open('login')
  for (let n = 0; n < 40; n++) {
    form = await browser.submit(form, { passkey_login: key.get(optionsIn(form, 'passkey_challenge')) })
    assert.equal(form.status, 400)
  }
  for (let n = 0; n < 40; n++) await browser.open('login')
  await identity.stop()
  assert.ok((await count(db, 'flows')) <= 20 + 12)
})

test('SEC-107 FLT-23 forms that a provider token opens cannot exceed the flow limit', async () => {
  const dsn = await newDsn({ shared: true })
  const fedcm_config_url = 'https://accounts.google.com/gsi/fedcm.json'
  const { identity, broken } = await withBroken('google', { fedcm_config_url }, { ...TIGHT, dsn })
  const db = await openTestDatabase(dsn)
  const email = String(broken.claims.email)
  await identity.user(email)
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get('/self-service/fed-cm/parameters')).body
  const { nonce } = providers[0]
  const app = identity.app()
  let form = await app.open('login')
  const sendForm = (id_token: string) =>
    app.submit(form, { method: 'oidc', provider: 'acme', id_token, id_token_nonce: nonce })
  const sendFedcm = (token: string) =>
    browser.send('POST', '/self-service/fed-cm/token', { csrf_token, token }, {})
  for (const [what, send, claims] of [
    ['FedCM for a taken address', sendFedcm, {}],
    ['an app form for a taken address', sendForm, {}],
    ['FedCM without an address', sendFedcm, { email: undefined }],
    ['an app form without an address', sendForm, { email: undefined }],
  ] as const) {
    identity.advance(24 * 3_600_000)
    form = await app.open('login')
    const before = await count(db, 'flows')
    const statuses = new Set<number>()
    for (let n = 0; n < 40; n++)
      statuses.add((await send(idToken(broken, { nonce, sub: `${what} ${n}`, ...claims }))).status)
    assert.ok((await count(db, 'flows')) - before <= 21, what)
    assert.deepEqual([...statuses], [400, 429], what)
  }
})

test('SEC-107 repeated sign-ins in one form refund it once', async () => {
  const { identity, db } = await withDatabase(TIGHT)
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const together = await Promise.all(Array.from({ length: 3 }, () => app.submit(form, values)))
  assert.ok(together.every(({ status }) => status === 200))
  for (let n = 0; n < 20; n++) {
    assert.equal((await app.submit(form, values)).status, 200)
    await app.open('login')
    await app.open('registration')
  }
  assert.equal(await count(db, 'flows'), 21)
})

test('SEC-107 a code after each sign-in cannot exceed the flow limit', async () => {
  const hooks = [{ hook: 'verification' }]
  const { identity, db } = await withDatabase({
    ...TIGHT,
    selfservice: { flows: { login: { after: { hooks } } } },
  })
  const app = identity.app()
  await app.register(ADA)
  const before = await count(db, 'flows')
  const form = await app.open('login')
  for (let n = 0; n < 40; n++)
    await app.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.ok((await count(db, 'flows')) - before <= 20)
})

test('FLT-23 a repeatedly confirmed session stays small', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  const methods = [{ method: 'code_recovery', aal: 'aal1', completed_at: identity.now().toISOString() }]
  await db
    .updateTable('sessions')
    .set({ methods: JSON.stringify(methods) })
    .execute()
  for (let n = 0; n < 30; n++) {
    const form = await app.open('login', '?refresh=true')
    const confirmed = await app.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
    assert.equal(confirmed.status, 200)
  }
  const { authentication_methods } = (await app.send('GET', '/sessions/whoami')).body
  assert.equal(authentication_methods.length, 20)
  assert.deepEqual(authentication_methods[0], methods[0])
})

test('FLT-23 guessing link tokens adds no row each time', async () => {
  const { identity, db } = await withDatabase(BY_LINK)
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('recovery')
  await app.submit(form, { method: 'link', email: ADA })
  const before = await count(db, 'events')
  for (let n = 0; n < 20; n++) {
    app.address = `2001:db8::${n.toString(16)}`
    await app.submit(form, { method: 'link', token: `${n}` })
  }
  await identity.stop()
  assert.equal(await count(db, 'events'), before)
})

test('FLT-23 ending an ended session adds no row', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  const [app, other, here] = [identity.app(), identity.app(), identity.app()]
  for (const client of [app, other, here]) assert.equal((await client.signIn(ADA)).status, 200)
  const ends = {
    'signing out': () => app.send('DELETE', '/self-service/logout/api', { session_token: app.token }),
    'ending all others': () => here.send('DELETE', '/sessions'),
  }
  for (const [name, end] of Object.entries(ends)) {
    const before = await count(db, 'events')
    for (let n = 0; n < 20; n++) assert.ok((await end()).status < 300, name)
    assert.equal((await count(db, 'events')) - before, 1, name)
  }
})

async function count(db: Db, table: keyof Tables): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number | string>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

async function withDatabase(overrides: Merge = {}) {
  const dsn = await newDsn({ shared: true })
  return { identity: await createTestIdentity({ ...overrides, dsn }), db: await openTestDatabase(dsn) }
}
