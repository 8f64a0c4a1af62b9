import assert from 'node:assert/strict'
import { publicApp } from '../src/http/public/public.ts'
import type { Answer, FlowAnswer } from '../src/testing/answers.ts'
import { Browser, PASSWORD } from '../src/testing/clients.ts'
import { newDsn, openTestDatabase, test } from './kit/databases.ts'
import { SECOND_FACTORS } from './kit/factors.ts'
import { createTestIdentity, merge, VERIFIED_ONLY } from './kit/kit.ts'
import { BY_LINK } from './kit/recovery-kit.ts'
import { contextOf, statementWatch } from './kit/watched-context.ts'

const USERS = {
  'has an account': 'known1@example.com',
  'has none': 'nobody@example.com',
  'is deactivated': 'closed@example.com',
  'has no password': 'social@example.com',
} as const

interface Work {
  hashes: number
  /** By kind. */
  readonly statements: Record<string, number>
  calls: number
  encryptions: number
  /** In milliseconds. */
  waited: number
}

const NONE: Work = { hashes: 0, statements: {}, calls: 0, encryptions: 0, waited: 0 }

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
    test(`SEC-14 SEC-78 ${name} does equal work with or without an account`, async () => {
      const { browser, workOf } = await watched(overrides)
      const works = []
      for (const email of Object.values(USERS)) {
        const send = await begin(browser())
        works.push(await workOf(() => send(email)))
      }
      const [known] = works
      for (const [n, { hashes, calls, encryptions, waited, statements }] of works.entries()) {
        assert.deepEqual([hashes, calls, waited], [0, 0, 100])
        assert.equal(encryptions, known?.encryptions)
        assert.equal(statements.SelectQueryNode, known?.statements.SelectQueryNode)
        const deletions = Object.keys(USERS)[n] === 'has none' ? 1 : 0
        assert.equal(writesOf(statements), writesOf(known?.statements ?? {}) + deletions)
      }
      assert.equal(known?.encryptions, 3)
    })
  }
}

test('SEC-14 a wrong code costs the same without a sent one', async () => {
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

test('SEC-14 a sign-in costs one hash for any identifier', async () => {
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

test('SEC-14 a limited guess costs the same for every address', async () => {
  const few = { burst: 1, refill: '1h' }
  const limits = { password: { account: few, own: few, allowance: few } }
  const { browser, workOf, signedOut } = await watched({ ...PRIVATE, limits })
  const headers = { 'x-session-token': await signedOut('another@example.com') }
  for (const refused of [false, false, true]) {
    const works = []
    for (const identifier of Object.values(USERS)) {
      const one = browser()
      one.address = '198.51.100.1'
      const form = await one.open('login')
      const guess = { method: 'password', identifier, password: 'not this one' }
      const { statements } = await workOf(async () => {
        const answer = await one.submit(form, guess, { headers })
        assert.equal(answer.status, refused ? 429 : 400)
        return answer
      })
      works.push(statements)
    }
    for (const statements of works) assert.deepEqual(statements, works[0])
  }
})

test('SEC-14 SEC-78 a registration costs the same for taken addresses', async () => {
  const { browser, workOf } = await watched(merge(PRIVATE, VERIFIED_ONLY))
  for (const [who, email] of Object.entries(USERS)) {
    const one = browser()
    const form = await one.open('registration')
    const values = { method: 'password', password: PASSWORD, traits: { email } }
    const { hashes, calls, encryptions, waited } = await workOf(async () => {
      const done = await one.submit(form, values)
      assert.equal(done.status, 200, who)
      return done
    })
    assert.deepEqual([hashes, calls, waited], [1, 0, 100], who)
    assert.equal(encryptions, 3, who)
  }
})

test('SEC-14 SEC-78 a new address costs the same, taken or free', async () => {
  const waits = { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } }
  const { browser, workOf, user } = await watched(merge(PRIVATE, { selfservice: { flows: waits } }))
  const works = []
  for (const [n, email] of [USERS['has an account'], USERS['has none']].entries()) {
    const writer = `writer${n}@example.com`
    await user(writer)
    const one = browser()
    await one.signIn(writer)
    const form = await one.open('settings')
    works.push(await workOf(() => one.submit(form, { method: 'profile', traits: { email } })))
  }
  for (const { hashes, calls, encryptions, statements } of works) {
    assert.deepEqual([hashes, calls, encryptions], [0, 0, 3])
    assert.equal(writesOf(statements), writesOf(works[0]?.statements ?? {}))
  }
})

test('SEC-44 a limited registration costs no hash or breach look-up', async () => {
  const limits = { registration: { client: { burst: 1, refill: '1h' } } }
  const checks = { selfservice: { methods: { password: { config: { haveibeenpwned_enabled: true } } } } }
  const { browser, workOf } = await watched(merge(merge(PRIVATE, VERIFIED_ONLY), { ...checks, limits }))
  const address = '198.51.100.1'
  for (const email of ['first@example.com', ...Object.values(USERS)]) {
    const one = Object.assign(browser(), { address })
    const form = await one.open('registration')
    const values = { method: 'password', password: PASSWORD, traits: { email } }
    const { hashes, calls } = await workOf(async () => {
      const done = await one.submit(form, values)
      assert.equal(done.status, email === 'first@example.com' ? 200 : 429)
      return done
    })
    assert.deepEqual([hashes, calls], email === 'first@example.com' ? [1, 1] : [0, 0], email)
  }
})

test('SEC-44 settings refused by the flow limit cost no hash', async () => {
  const limits = { flow: { client: { burst: 1, refill: '1h' }, own: 'off' } }
  const { browser, workOf } = await watched(merge(SECOND_FACTORS, { limits }))
  const one = browser()
  await one.signIn(USERS['has an account'])
  const form = await one.open('settings')
  await one.submit(form, { method: 'lookup_secret', lookup_secret_regenerate: true })
  for (const values of [
    { method: 'lookup_secret', lookup_secret_confirm: true },
    { method: 'password', password: 'battery staple 7 horse' },
  ]) {
    const { hashes } = await workOf(async () => {
      const refused = await one.submit(form, values)
      assert.equal(refused.status, 429, values.method)
      return refused
    })
    assert.equal(hashes, 0, values.method)
  }
})

test('FLT-21 a full hash queue admits known devices and sessions only', async () => {
  const { browser, ctx } = await watched({})
  const [known, stranger] = [browser(), browser()]
  await known.signIn(USERS['has an account'])
  Object.assign(ctx.hasher, { isFull: () => true })
  const device = known.cookies.get('device') ?? ''
  const session = known.cookies.get('ory_kratos_session') ?? ''
  for (const [name, value, status] of [
    ['device', 'x', 503],
    ['device', `${device.slice(0, -4)}AAAA`, 503],
    ['device', device, 200],
    ['ory_kratos_session', 'x', 503],
    ['ory_kratos_session', session, 400],
  ] as const) {
    stranger.cookies.clear()
    stranger.cookies.set(name, value)
    assert.equal((await stranger.open('login')).status, status, `${name}=${value}`)
  }
})

test('FLT-21 SEC-14 a full hash queue refuses alike without an account', async () => {
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
  return ['Insert', 'Update', 'Delete'].reduce((sum, kind) => sum + (statements[`${kind}QueryNode`] ?? 0), 0)
}

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
    encrypt() {
      work.encryptions += 1
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
  const signedOut = async (email: string) => {
    await identity.user(email)
    const client = identity.app()
    await client.signIn(email)
    await client.send('DELETE', '/self-service/logout/api', { session_token: client.token })
    return client.token ?? ''
  }
  const { user } = identity
  return { browser: () => new Browser(app.request), workOf, signedOut, ctx, user }
}
