import assert from 'node:assert/strict'
import { publicApp } from '../src/http/public.ts'
import type { Answer, FlowAnswer } from './answers.ts'
import { Browser, PASSWORD } from './clients.ts'
import { newDsn, openTestDatabase, test } from './databases.ts'
import { createTestIdentity, merge, VERIFIED_ONLY } from './kit.ts'
import { BY_LINK } from './recovery-kit.ts'
import { contextOf, statementWatch } from './watched-context.ts'

const USERS = {
  'has an account': 'known1@example.com',
  'has none': 'nobody@example.com',
  'is deactivated': 'closed@example.com',
  'has no password': 'social@example.com',
} as const

/** The cost of one request. */
interface Work {
  hashes: number
  /** Statements by their kind. */
  readonly statements: Record<string, number>
  /** Calls to other hosts. */
  calls: number
  /** Milliseconds that the response took at least. */
  waited: number
}

const NONE: Work = { hashes: 0, statements: {}, calls: 0, waited: 0 }

type Begin = (browser: Browser) => Promise<(email: string) => Promise<Answer>>

const sending =
  (kind: 'recovery' | 'verification', method: 'code' | 'link'): Begin =>
  async (browser) => {
    const form = await browser.open(kind)
    return (email) => browser.submit(form, { method, email })
  }

const byCode: Record<string, Begin> = {
  'starting a recovery': sending('recovery', 'code'),
  'asking to prove an address': sending('verification', 'code'),
  'asking for a code to sign in': async (browser) => {
    const form = await browser.open('login')
    return (email) => browser.submit(form, { method: 'code', identifier: email })
  },
}
const byLink: Record<string, Begin> = {
  'starting a recovery by link': sending('recovery', 'link'),
  'asking for a link to prove an address': sending('verification', 'link'),
}
const PRIVATE = {
  selfservice: { methods: { code: { passwordless_enabled: true } } },
  security: { account_enumeration: { mitigate: true } },
}

for (const [overrides, begins] of [
  [PRIVATE, byCode],
  [BY_LINK, byLink],
] as const) {
  for (const [name, begin] of Object.entries(begins)) {
    test(`SEC-14 ${name} computes no hash, calls no host, reads the same and takes as long, with or without an account`, async () => {
      const { browser, workOf } = await watched(overrides)
      const works = []
      for (const email of Object.values(USERS)) {
        const send = await begin(browser())
        works.push(await workOf(() => send(email)))
      }
      const [known] = works
      for (const { hashes, calls, waited, statements } of works) {
        assert.deepEqual([hashes, calls, waited], [0, 0, 100])
        assert.equal(statements.SelectQueryNode, known?.statements.SelectQueryNode)
        // The secret, the message, and that it was sent: in a transaction that every case has.
        const more = writesOf(known?.statements ?? {}) - writesOf(statements)
        assert.ok(more >= 0 && more <= 4, JSON.stringify([known, statements]))
      }
    })
  }
}

test('SEC-14 a wrong code costs the same whether or not a code was sent', async () => {
  const { browser, workOf } = await watched(PRIVATE)
  for (const kind of ['recovery', 'verification'] as const) {
    const works = []
    for (const email of Object.values(USERS)) {
      const one = browser()
      const form: FlowAnswer = await one.submit(await one.open(kind), { method: 'code', email })
      works.push(await workOf(() => one.submit(form, { method: 'code', code: 'abcdef' })))
    }
    for (const work of works) assert.deepEqual(work, works[0])
    assert.equal(works[0]?.hashes, 0)
  }
})

test('SEC-14 a sign-in costs one hash for every address: known, unknown, deactivated or without a password', async () => {
  const { browser, workOf } = await watched(PRIVATE)
  for (const [who, identifier] of Object.entries(USERS)) {
    for (const password of [PASSWORD, 'not this one']) {
      const one = browser()
      const form = await one.open('login')
      const { hashes } = await workOf(() => one.submit(form, { method: 'password', identifier, password }))
      assert.equal(hashes, 1, `${who} with ${password}`)
    }
  }
})

test('SEC-14 a registration costs one hash and takes as long, whether or not the address has an account', async () => {
  const { browser, workOf } = await watched(merge(PRIVATE, VERIFIED_ONLY))
  for (const [who, email] of Object.entries(USERS)) {
    const one = browser()
    const form = await one.open('registration')
    const values = { method: 'password', password: PASSWORD, traits: { email } }
    const { hashes, calls, waited } = await workOf(async () => {
      const done = await one.submit(form, values)
      assert.equal(done.status, 200, who)
      return done
    })
    assert.deepEqual([hashes, calls, waited], [1, 0, 100], who)
  }
})

test('FLT-21 SEC-14 a sign-in that finds the hash queue full gets the same response with and without an account', async () => {
  // The more a hash costs the shorter is its queue.
  const hashers = { argon2: { memory: '64MB', iterations: 2 } }
  const identity = await createTestIdentity({ hashers, limits: { password: 'off' } })
  await identity.user(USERS['has an account'])
  const emails = [USERS['has an account'], USERS['has none']]
  const attempts = []
  for (let n = 0; n < 100; n++) {
    const app = identity.app()
    const values = { method: 'password', identifier: emails[n % 2], password: 'wrong' }
    attempts.push([app, await app.open('login'), values] as const)
  }
  const answers = await Promise.all(attempts.map(([app, form, values]) => app.submit(form, values)))
  const refused = emails.map((_, which) =>
    answers.filter(({ status }, n) => status === 503 && n % 2 === which),
  )
  assert.ok(refused.every(({ length }) => length > 10))
  const seen = refused.flat().map(({ headers, body }) => JSON.stringify([headers.get('retry-after'), body]))
  assert.equal(new Set(seen).size, 1, seen[0])
})

function writesOf(statements: Work['statements']): number {
  return ['Insert', 'Update'].reduce((sum, kind) => sum + (statements[`${kind}QueryNode`] ?? 0), 0)
}

/** The service with four accounts, and what its requests cost. */
async function watched(overrides: object) {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ ...overrides, dsn })
  await identity.user(USERS['has an account'])
  await identity.user(USERS['is deactivated'])
  const [closed] = (
    await identity.admin('GET', `/admin/identities?credentials_identifier=closed@example.com`)
  ).body
  const change = [{ op: 'replace', path: '/state', value: 'inactive' }]
  assert.equal((await identity.admin('PATCH', `/admin/identities/${closed.id}`, change)).status, 200)
  await identity.admin('POST', '/admin/identities', { traits: { email: USERS['has no password'] } })
  let work = structuredClone(NONE)
  const plugin = statementWatch((kind) => {
    work.statements[kind] = (work.statements[kind] ?? 0) + 1
  })
  const db = (await openTestDatabase(dsn)).withPlugin(plugin)
  const watch = {
    hash() {
      work.hashes += 1
    },
    call() {
      work.calls += 1
    },
    wait(milliseconds: number) {
      work.waited += milliseconds
    },
  }
  const ctx = contextOf(identity, db, watch)
  const app = publicApp(ctx)
  const workOf = async (run: () => Promise<Answer>): Promise<Work> => {
    await ctx.background.stop()
    work = structuredClone(NONE)
    assert.ok((await run()).status < 500)
    return structuredClone(work)
  }
  return { browser: () => new Browser({ ...identity, publicApp: app }), workOf }
}
