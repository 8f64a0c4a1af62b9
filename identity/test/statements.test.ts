import assert from 'node:assert/strict'
import type { KyselyPlugin } from 'kysely'
import { adminApp } from '../src/http/admin.ts'
import { publicApp } from '../src/http/public.ts'
import { Browser, PASSWORD } from './clients.ts'
import { newDsn, openTestDatabase, test } from './databases.ts'
import { createTestIdentity } from './kit.ts'
import { contextOf } from './watched-context.ts'

// The look-up of a session is prepared once and not counted here.
const EMAIL = 'ada@example.com'
const ON = { enabled: true }
const RP = { rp: { display_name: 'My App', id: '127.0.0.1', origins: ['http://127.0.0.1:4433'] } }
const EVERY_METHOD = {
  totp: ON,
  lookup_secret: ON,
  link: ON,
  passkey: { ...ON, config: RP },
  webauthn: { ...ON, config: RP },
}

test('opening the settings takes few statements, however many methods draw them', async () => {
  const { signedIn, counted } = await counting()
  const browser = await signedIn()
  const statements = await counted(() => browser.open('settings'))
  assert.ok(statements.filter(isSelect).length <= 3, statements.join(', '))
  assert.ok(statements.length <= 5, statements.join(', '))
})

test('saving a name takes few statements', async () => {
  const { signedIn, counted } = await counting()
  const browser = await signedIn()
  const form = await browser.open('settings')
  const change = { method: 'profile', traits: { email: EMAIL, name: 'Ada' } }
  const statements = await counted(async () => {
    assert.equal((await browser.submit(form, change)).status, 200)
  })
  assert.ok(statements.length <= 12, statements.join(', '))
})

test('a list of sessions takes as many statements for fifty as for one', async () => {
  const { signedIn, counted, admin } = await counting()
  for (let session = 0; session < 5; session += 1) await signedIn()
  const statements = await counted(async () => {
    const response = await admin.request('http://127.0.0.1/admin/sessions?expand=identity')
    assert.equal(((await response.json()) as unknown[]).length, 5)
  })
  assert.ok(statements.length <= 3, statements.join(', '))
})

function isSelect(statement: string): boolean {
  return statement === 'SelectQueryNode'
}

/** A service with one user and every method, and the statements of its requests. */
async function counting() {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn, selfservice: { methods: EVERY_METHOD } })
  await identity.person(EMAIL)
  let statements: string[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const db = (await openTestDatabase(dsn)).withPlugin(plugin)
  const ctx = contextOf(identity, db, { hash() {}, call() {}, wait() {} })
  const app = publicApp(ctx)
  const signedIn = async () => {
    const browser = new Browser({ ...identity, publicApp: app })
    const input = { method: 'password', identifier: EMAIL, password: PASSWORD }
    assert.equal((await browser.submit(await browser.open('login'), input)).status, 200)
    return browser
  }
  const counted = async (run: () => Promise<unknown>) => {
    statements = []
    await run()
    return [...statements]
  }
  return { signedIn, counted, admin: adminApp(ctx) }
}
