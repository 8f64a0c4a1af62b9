import assert from 'node:assert/strict'
import { adminApp } from '../src/http/admin/admin.ts'
import { publicApp } from '../src/http/public/public.ts'
import { isPostgres } from '../src/storage/database.ts'
import type { Db } from '../src/storage/db.ts'
import type { FlowAnswer } from '../src/testing/answers.ts'
import { Browser, PASSWORD } from '../src/testing/clients.ts'
import { newDsn, openTestDatabase, test } from './kit/databases.ts'
import { createTestIdentity } from './kit/kit.ts'
import { contextOf, statementWatch } from './kit/watched-context.ts'

const EMAIL = 'ada@example.com'
const ON = { enabled: true }
const RP = { rp: { display_name: 'Example App', id: '127.0.0.1', origins: ['http://127.0.0.1:4433'] } }
const EVERY_METHOD = {
  totp: ON,
  lookup_secret: ON,
  link: ON,
  passkey: { ...ON, config: RP },
  webauthn: { ...ON, config: RP },
}

/**
 * At most one commit per request waits for the disk (decision 4), and none for that of the first answer. PostgreSQL
 * also locks the account's row.
 */
const BOUNDS = {
  'opening a sign-in': { statements: 2, commits: 2 },
  'signing in': { statements: 10, commits: 4 },
  'a wrong password': { statements: 5, commits: 3 },
  'looking up a session': { statements: 1, commits: 0 },
  'opening a registration': { statements: 2, commits: 2 },
  registering: { statements: 19, commits: 4 },
} as const

test('signing in, registering and looking up a session need few statements and commits', async () => {
  const { browser, counted, locks } = await counting()
  const [user, other, guest] = [browser(), browser(), browser()]
  const credentials = { method: 'password', identifier: EMAIL, password: PASSWORD }
  const account = { method: 'password', password: PASSWORD, traits: { email: 'grace@example.com' } }
  const wrong = await other.open('login')
  let form: FlowAnswer
  const requests: Record<keyof typeof BOUNDS, () => Promise<{ readonly status: number }>> = {
    'opening a sign-in': async () => (form = await user.open('login')),
    'signing in': () => user.submit(form, credentials),
    'a wrong password': () => other.submit(wrong, { ...credentials, password: 'not the password' }),
    'looking up a session': () => user.whoami(),
    'opening a registration': async () => (form = await guest.open('registration')),
    registering: () => guest.submit(form, account),
  }
  for (const [name, bound] of Object.entries(BOUNDS)) {
    let status = 0
    const { statements, commits } = await counted(async () => {
      status = (await requests[name as keyof typeof BOUNDS]()).status
    })
    assert.equal(status, name === 'a wrong password' ? 400 : 200, name)
    const seen = `${name}: ${commits} commits, ${statements.join(', ')}`
    assert.ok(statements.length <= bound.statements + locks && commits <= bound.commits, seen)
  }
})

test('opening the settings needs few statements with any methods', async () => {
  const { signedIn, counted } = await counting()
  const browser = await signedIn()
  const { statements, reads } = await counted(() => browser.open('settings'))
  assert.ok(reads <= 4, statements.join(', '))
  assert.ok(statements.length <= 6, statements.join(', '))
})

test('saving a name needs few statements', async () => {
  const { signedIn, counted } = await counting()
  const browser = await signedIn()
  const form = await browser.open('settings')
  const change = { method: 'profile', traits: { email: EMAIL, name: 'Ada' } }
  const { statements } = await counted(async () => {
    assert.equal((await browser.submit(form, change)).status, 200)
  })
  assert.ok(statements.length <= 12, statements.join(', '))
})

test('listing fifty sessions needs as many statements as one', async () => {
  const { signedIn, counted, admin } = await counting()
  for (let session = 0; session < 5; session += 1) await signedIn()
  const { statements } = await counted(async () => {
    const response = await admin.request('http://127.0.0.1/admin/sessions?expand=identity')
    assert.equal(((await response.json()) as unknown[]).length, 5)
  })
  assert.ok(statements.length <= 3, statements.join(', '))
})

test('deleting an account needs a lock, a read, the deletion and an entry in the audit list', async () => {
  const { user_id, counted, admin } = await counting()
  const { statements } = await counted(async () => {
    const response = await admin.request(`http://127.0.0.1/admin/identities/${user_id}`, { method: 'DELETE' })
    assert.equal(response.status, 204)
  })
  assert.ok(statements.length <= 4, statements.join(', '))
})

/** With every method and the product's proof of new addresses. */
async function counting() {
  const dsn = await newDsn({ shared: true })
  const after = { profile: { hooks: [{ hook: 'verify_new_address' }] } }
  const flows = { verification: ON, settings: { after } }
  const identity = await createTestIdentity({ dsn, selfservice: { methods: EVERY_METHOD, flows } })
  await identity.user(EMAIL)
  const { db, counted } = watched(await openTestDatabase(dsn))
  const ctx = contextOf(identity, db, { hash() {}, call() {}, wait() {}, encrypt() {} })
  const app = publicApp(ctx)
  const browser = () => new Browser(app.request)
  const signedIn = async () => {
    const user = browser()
    const input = { method: 'password', identifier: EMAIL, password: PASSWORD }
    assert.equal((await user.submit(await user.open('login'), input)).status, 200)
    return user
  }
  const [user] = (await identity.admin('GET', '/admin/identities')).body
  const locks = isPostgres(db) ? 1 : 0
  return { browser, signedIn, counted, locks, admin: adminApp(ctx), user_id: user.id }
}

/** Of one request. */
function watched(database: Db) {
  let statements: string[] = []
  let commits = 0
  let isOpen = false
  const plugin = statementWatch((kind) => {
    statements.push(kind)
    if (!isOpen && kind !== READ) commits += 1
  })
  const db = database.withPlugin(plugin)
  const transaction = db.transaction.bind(db)
  db.transaction = () => {
    const builder = transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async (work) => {
      isOpen = true
      commits += 1
      return await execute(work).finally(() => {
        isOpen = false
      })
    }
    return builder
  }
  const counted = async (run: () => Promise<unknown>) => {
    statements = []
    commits = 0
    await run()
    return { statements, commits, reads: statements.filter((kind) => kind === READ).length }
  }
  return { db, counted }
}

const READ = 'SelectQueryNode'
