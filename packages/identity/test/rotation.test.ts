import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetSecrets, LostSecrets } from '../src/operating.ts'
import { messageIds, verificationIn } from '../src/testing/answers.ts'
import { Browser, PASSWORD } from '../src/testing/clients.ts'
import { newDsn, testOnEach as test } from './kit/databases.ts'
import {
  ADA,
  addBackupCodes,
  addTotp,
  atSecondFactor,
  codeOf,
  SECOND_FACTORS,
  STEP_MS,
} from './kit/factors.ts'
import { createTestIdentity, standard, type TestIdentity } from './kit/kit.ts'

const OLD = 'the old secret of the tests, long enough to be one'
const NEW = 'the new secret of the tests, long enough as well'

const STEPS = [
  { why: 'before', secrets: [OLD] },
  { why: 'appended', secrets: [OLD, NEW] },
  { why: 'in front', secrets: [NEW, OLD] },
]

test('FLT-26 rotates secrets under load without refusing a request', async () => {
  const fleet = await startFleet()
  const [first] = fleet.services
  await first!.user('ada@example.com')
  const ada = fleet.browser()
  await ada.signIn('ada@example.com')
  const load = keepAsking(fleet, ada)
  for (const { secrets } of STEPS.slice(1)) {
    for (const place of [0, 1]) {
      await fleet.replace(place, secrets)
      await load.nextTurn()
    }
  }
  const statuses = await load.end()
  assert.ok(statuses.length >= 16)
  assert.deepEqual([...new Set(statuses)], [200])
})

test('FLT-26 rejects a secret that another replica lacks', async () => {
  const fleet = await startFleet()
  await assert.rejects(fleet.replace(0, [NEW, OLD]), /append it to the secrets of every process first/)
  await assert.rejects(fleet.replace(0, [NEW]), /append it to the secrets of every process first/)
  await fleet.replace(0, [OLD, NEW])
  await fleet.replace(1, [OLD, NEW])
  await fleet.replace(0, [NEW, OLD])
  // The other one signs with the old secret.
  const alone = createTestIdentity({ dsn: fleet.dsn, secrets: { default: [NEW] } }, { now: fleet.now })
  await assert.rejects(alone, /signs with a secret that is missing here/)
})

test('FLT-26 a lost replica counts for a minute', async () => {
  const dsn = await newDsn({ shared: true })
  const lost = await createTestIdentity({ dsn, secrets: { default: [OLD] } })
  const start = () => createTestIdentity({ dsn, secrets: { default: [NEW, OLD] } }, { now: lost.now })
  await assert.rejects(start(), /start again in a minute/)
  lost.advance(61_000)
  const next = await start()
  await next.stop()
  await start()
})

test('FLT-25 rejects lost secrets until the operator gives them up', async () => {
  const dsn = await newDsn({ shared: true })
  const start = (...secrets: string[]) => createTestIdentity({ dsn, secrets: { default: secrets } })
  await (await start(OLD)).stop()
  await assert.rejects(start(NEW), LostSecrets)
  await (await start(NEW, OLD)).stop()
  await (await start(NEW)).stop()
  await assert.rejects(start(OLD), LostSecrets)
  await forgetSecrets(dsn)
  await (await start(OLD)).stop()
})

test('FLT-26 an app used since a rotation works without the old secret', async () => {
  const dsn = await newDsn({ shared: true })
  const start = (...secrets: string[]) =>
    createTestIdentity({ ...SECOND_FACTORS, dsn, secrets: { default: secrets } })
  const before = await start(OLD)
  const browser = await before.signedIn(ADA)
  const secret = await addTotp(before, browser)
  await before.stop()
  for (const secrets of [[NEW, OLD], [NEW]]) {
    const identity = await start(...secrets)
    identity.advance(STEP_MS * (4 - secrets.length))
    const { browser, flow } = await atSecondFactor(identity)
    const proven = await browser.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })
    assert.equal(proven.status, 200, `${secrets.length} secrets`)
    await identity.stop()
  }
})

test('FLT-26 a dropped secret leaves the other methods, and the log says what to append', async () => {
  const dsn = await newDsn({ shared: true })
  const start = (...secrets: string[]) =>
    createTestIdentity({ ...SECOND_FACTORS, dsn, secrets: { default: secrets } })
  const before = await start(OLD)
  const owner = await before.signedIn(ADA)
  const [backupCode] = await addBackupCodes(owner)
  const secret = await addTotp(before, owner)
  const { body: settings } = await (await before.signedIn('eve@example.com')).open('settings')
  await before.stop()
  await (await start(NEW, OLD)).stop()
  const identity = await start(NEW)
  const { browser, flow } = await atSecondFactor(identity)
  const shown = await browser.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(shown.status, 400)
  assert.deepEqual(messageIds(shown), [4000001])
  assert.match(shown.body.ui.messages?.[0]?.text ?? '', /cannot be read right now.* contact support/)
  assert.match(identity.logged.join('\n'), /^a text \(totp\) cannot be decrypted.*: append the one/m)
  const proven = await browser.submit(shown, { method: 'lookup_secret', lookup_secret: backupCode })
  assert.equal(proven.status, 200)
  const eve = identity.browser()
  await eve.signIn('eve@example.com')
  const { status, body } = await eve.get(`/self-service/settings/flows?id=${settings.id}`)
  assert.equal(status, 500)
  assert.match(body.error.reason, /Start again/)
})

test('new cookie secrets do not count as lost', async () => {
  const dsn = await newDsn({ shared: true })
  const start = (cookie: string) =>
    createTestIdentity({ dsn, secrets: { default: [OLD], cookie: [cookie], cipher: [OLD.slice(0, 32)] } })
  await (await start(OLD)).stop()
  await (await start(NEW)).stop()
})

test('removing an old cookie secret ends its cookies, while running and after a restart', async () => {
  const [older, newer] = ['an old secret of cookies, long enough', 'a new secret of cookies, long enough']
  const options = (cookie: string[]) => ({ secrets: { default: [OLD], cookie } })
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn, ...options([older]) })
  await identity.user('ada@example.com')
  const [ada, eve] = [identity.browser(), identity.browser()]
  await ada.signIn('ada@example.com')
  const status = async (browser: Browser) => (await browser.whoami()).status
  await identity.reconfigure(standard({ dsn, ...options([newer, older]) }))
  await eve.signIn('ada@example.com')
  assert.deepEqual([await status(ada), await status(eve)], [200, 200])
  await identity.reconfigure(standard({ dsn, ...options([newer]) }))
  assert.deepEqual([await status(ada), await status(eve)], [401, 200])
  await identity.stop()
  const { send } = await createTestIdentity({ dsn, ...options([newer]) })
  const after = [ada, eve].map(
    async ({ headers }) => await send('/sessions/whoami', { headers }, {} as never),
  )
  assert.deepEqual(
    (await Promise.all(after)).map(({ status }) => status),
    [401, 200],
  )
})

async function startFleet() {
  const dsn = await newDsn({ shared: true })
  const limits = { limits: { registration: 'off', flow: 'off', code: 'off', mail: 'off' } }
  const start = (secrets: readonly string[], now?: () => Date) =>
    createTestIdentity({ ...limits, dsn, secrets: { default: [...secrets] } }, now ? { now } : {})
  const one = await start([OLD])
  const services: TestIdentity[] = [one, await start([OLD], one.now)]
  let turn = 0
  const running = new Map<TestIdentity, Promise<unknown>[]>()
  const ask = async <Answer>(question: (service: TestIdentity) => Answer | Promise<Answer>) => {
    const service = services[turn++ % services.length] as TestIdentity
    const answer = Promise.resolve(question(service))
    running.set(service, [...(running.get(service) ?? []), answer])
    return await answer
  }
  return {
    dsn,
    now: one.now,
    services,
    browser: () => new Browser((...request) => ask(({ send }) => send(...request))),
    code: (email: string) => ask((service) => service.code(email)),
    async replace(place: number, secrets: readonly string[]) {
      const next = await start(secrets, one.now)
      const before = services[place] as TestIdentity
      services[place] = next
      await Promise.allSettled(running.get(before) ?? [])
      await before.stop()
    },
  }
}

function keepAsking(fleet: Awaited<ReturnType<typeof startFleet>>, signedIn: Browser) {
  const statuses: number[] = []
  let over = false
  let turn = 0
  const done = (async () => {
    for (; !over; turn += 1) {
      const email = `user-${turn}@example.com`
      const user = fleet.browser()
      const registered = await user.register(email)
      const form = await user.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
      const proven = await user.submit(form, { method: 'code', code: await fleet.code(email) })
      const again = await fleet.browser().signIn(email, PASSWORD)
      const whoami = await signedIn.whoami()
      statuses.push(registered.status, proven.body.state === 'passed_challenge' ? 200 : 400)
      statuses.push(again.status, whoami.status)
    }
  })()
  return {
    async nextTurn() {
      for (const since = turn; turn < since + 2; ) await sleep(5)
    },
    async end() {
      over = true
      await done
      return statuses
    },
  }
}
