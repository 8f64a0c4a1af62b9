import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { type Answer, type FlowAnswer, verificationIn } from '../src/testing/answers.ts'
import { type App, PASSWORD } from '../src/testing/clients.ts'
import { openTestDatabase, testOnEach as test, testOn } from './kit/databases.ts'
import { type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'
import { replicas } from './kit/replicas-kit.ts'
import { until, untilServed } from './kit/until.ts'

test('each step may reach another replica', async () => {
  const { second, browser } = await replicas(VERIFIED_ONLY)
  const ada = browser()
  const registered = await ada.register('ada@example.com')
  const form: FlowAnswer = await ada.get(
    `/self-service/verification/flows?id=${verificationIn(registered)?.id}`,
  )
  const proven = await ada.submit(form, { method: 'code', code: await second.code('ada@example.com') })
  assert.equal(proven.body.state, 'passed_challenge')
  assert.equal((await ada.signIn('ada@example.com')).status, 200)
  for (let times = 0; times < 2; times += 1) assert.equal((await ada.whoami()).status, 200)
})

test('FLT-14 one of many registrations succeeds, and all look alike', async () => {
  const mitigate = { security: { account_enumeration: { mitigate: true } } }
  const { first, second, app } = await replicas({
    ...VERIFIED_ONLY,
    ...mitigate,
    limits: { registration: 'off' },
  })
  const ada = ['ada@example.com', 'Ada@Example.com', 'ADA@EXAMPLE.COM', 'adA@example.com']
  // One letter or two characters, and the sign for ångström.
  const kare = ['k\u00e5re', 'ka\u030are', 'KA\u030aRE', 'K\u212bre'].map((name) => `${name}@example.com`)
  const answers = await Promise.all(
    [...ada, ...kare].flatMap((email) => [1, 2].map(() => untilServed(() => app().register(email)))),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const accounts: { traits: { email: string } }[] = (await first.admin('GET', '/admin/identities')).body
  const emails = accounts.map(({ traits }) => traits.email.toLowerCase().normalize('NFC'))
  assert.deepEqual(emails.sort(), ['ada@example.com', 'k\u00e5re@example.com'])
  assertNoMistake(answers, [first, second])
})

test('FLT-14 without mitigation, the others learn that the address is taken', async () => {
  const { first, second, app } = await replicas({ limits: { registration: 'off' } })
  const register = () => untilServed(() => app().register('ada@example.com'))
  const answers = await Promise.all(Array.from({ length: 12 }, register))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array.from({ length: 11 }, () => 400)])
  assertNoMistake(answers, [first, second])
})

testOn('PostgreSQL', 'FLT-03 tells clients to retry while connections break, then recovers', async () => {
  const { dsn, first, second, app } = await replicas({ limits: { flow: 'off', password: 'off' } })
  await first.user('ada@example.com')
  const operator = await openTestDatabase(dsn)
  const answers: Answer[] = []
  let over = false
  const visit = async () => {
    while (!over) answers.push(...(await signInOnce(app())))
  }
  const visitors = Array.from({ length: 6 }, visit)
  for (let times = 0; times < 6; times += 1) {
    await new Promise((resolve) => setTimeout(resolve, 80))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(operator)
    for (const one of [first, second]) {
      assert.equal((await one.publicApp.request('/health/alive')).status, 200)
    }
  }
  await until(() => answers.some(({ status }) => status === 200))
  over = true
  await Promise.all(visitors)
  const statuses = new Set(answers.map(({ status }) => status))
  assert.deepEqual(
    [...statuses].sort().filter((status) => status !== 503),
    [200],
  )
  for (const { headers } of answers.filter(({ status }) => status === 503)) {
    assert.equal(headers.get('retry-after'), '1')
  }
  for (const one of [first, second]) assert.equal(await one.isReady(), true)
  assert.equal((await app().signIn('ada@example.com')).status, 200)
})

testOn('PostgreSQL', 'FLT-03 is not ready while the database is gone, and recovers with it', async () => {
  const { dsn, first } = await replicas()
  const name = new URL(dsn).pathname.slice(1)
  const operator = await openTestDatabase(dsn.replace(name, 'postgres'))
  await sql`alter database ${sql.id(name)} with allow_connections false`.execute(operator)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(operator)
  const ready = await first.publicApp.request('/health/ready')
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '1'])
  const opened = await first.app().open('login')
  assert.equal(opened.status, 503)
  assert.doesNotMatch(JSON.stringify(opened.body), /postgres|test_/i)
  const page = await first.browser().navigate('/self-service/login/browser')
  assert.equal(page.status, 503)
  await sql`alter database ${sql.id(name)} with allow_connections true`.execute(operator)
  assert.equal((await first.publicApp.request('/health/ready')).status, 200)
  assert.equal((await first.app().open('login')).status, 200)
})

async function signInOnce(app: App): Promise<Answer[]> {
  const flow = await app.open('login')
  if (flow.status !== 200) return [flow]
  const values = { method: 'password', identifier: 'ada@example.com', password: PASSWORD }
  return [flow, await app.submit(flow, values)]
}

function assertNoMistake(answers: readonly Answer[], identities: readonly TestIdentity[]): void {
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500),
    [],
  )
  const expected = /^(security event|limits\.\S+ is off|another server used)/
  for (const { logged } of identities)
    assert.deepEqual(
      logged.filter((line) => !expected.test(line)),
      [],
    )
}
