import assert from 'node:assert/strict'
import { type Answer, messageIds } from '../../../src/testing/answers.ts'
import { type App, type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type Merge, merge, type TestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'
import { ADA, letsIn } from '../../kit/recovery-kit.ts'
import { replicas } from '../../kit/replicas-kit.ts'
import { untilServed } from '../../kit/until.ts'

const HOUR_MS = 3_600_000
const MITIGATED = merge(VERIFIED_ONLY, { security: { account_enumeration: { mitigate: true } } })
const BY_CODE = { selfservice: { methods: { code: { passwordless_enabled: true } } } }

test('SEC-67 a new device signs in while another network guesses all day', async () => {
  const { identity, attacker } = await underAttack(BY_CODE)
  for (let round = 0; round < 25; round++) {
    identity.advance(HOUR_MS)
    await exhaust(() => attacker.signIn(ADA, 'wrong'))
    await exhaust(() => recovery(attacker))
    assert.equal((await identity.browser().signIn(ADA)).status, 200, `sign-in ${round}`)
    const browser = identity.browser()
    const [kind, field] =
      round % 2 === 0 ? (['recovery', 'email'] as const) : (['login', 'identifier'] as const)
    const form = await browser.submit(await browser.open(kind), { method: 'code', [field]: ADA })
    const code = await identity.code(ADA)
    const values = kind === 'login' ? { method: 'code', identifier: ADA, code } : { method: 'code', code }
    assert.ok(letsIn(await browser.submit(form, values)), `${kind} ${round}`)
  }
})

test('SEC-68 signs in while another network fills the hash queue', async () => {
  const identity = await createTestIdentity({ hashers: { argon2: { memory: '32MB', iterations: 2 } } })
  await identity.user(ADA)
  const flood: (() => Promise<Answer>)[] = []
  for (let n = 0; n < 100; n++) {
    const app = Object.assign(identity.app(), { address: `198.51.100.${(n % 25) + 1}` })
    const form = await app.open('registration')
    const values = { method: 'password', password: PASSWORD, traits: { email: `${n}@example.com` } }
    flood.push(() => app.submit(form, values))
  }
  const user = identity.browser()
  const form = await user.open('login')
  const answers = Promise.all(flood.map((send) => send()))
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  assert.equal((await untilServed(() => user.submit(form, values))).status, 200)
  assert.ok((await answers).some(({ status }) => status === 503))
})

test('SEC-67 repeated registrations do not block the owner', async () => {
  const { identity, attacker } = await underAttack(MITIGATED)
  for (const email of ['new@example.com', ADA]) {
    await exhaust(() => attacker.register(email))
    const before = (await identity.mails(email)).length
    assert.equal((await identity.browser().register(email)).status, 200)
    assert.equal((await identity.mails(email)).length, before + 1)
  }
})

test("SEC-67 an attacker's emails do not block a registration code", async () => {
  const { identity, attacker } = await underAttack(MITIGATED)
  await exhaust(() => recovery(attacker, 'new@example.com'))
  await identity.browser().register('new@example.com')
  assert.match(await identity.code('new@example.com'), /^\d{6}$/)
})

test('SEC-67 an attacker with the password does not block the second factor', async () => {
  const { identity, attacker } = await underAttack(SECOND_FACTORS)
  const owner = identity.browser()
  await owner.signIn(ADA)
  const secret = await addTotp(identity, owner)
  await attacker.signIn(ADA)
  const form = await attacker.open('login', '?aal=aal2')
  await exhaust(() => attacker.submit(form, { method: 'totp', totp_code: '000000' }))
  const browser = identity.browser()
  await browser.signIn(ADA)
  const second = await browser.open('login', '?aal=aal2')
  const values = { method: 'totp', totp_code: codeOf(identity, secret) }
  assert.equal((await browser.submit(second, values)).status, 200)
  // The password alone gives no share of Ada's budget.
  assert.equal((await attacker.submit(form, { method: 'totp', totp_code: '000000' })).status, 429)
})

test('SEC-67 correct passwords use no allowance', async () => {
  const limits = { password: { allowance: { burst: 1, refill: '1h' } } }
  const { identity, attacker } = await underAttack({ limits })
  await exhaust(() => attacker.signIn(ADA, 'wrong'))
  const app = identity.app()
  for (let n = 0; n < 4; n++) {
    assert.equal((await app.signIn(ADA)).status, 200)
    app.token = undefined
  }
  assert.deepEqual([(await app.signIn(ADA, 'wrong')).status, (await app.signIn(ADA)).status], [400, 429])
})

test('SEC-68 known devices work behind an exhausted address', async () => {
  const limits = {
    flow: { client: { burst: 50 } },
    password: { client: { burst: 3 } },
    mail: { client: { burst: 3 } },
  }
  const { identity, attacker } = await underAttack({ limits })
  const [known, signedIn, stranger] = [identity.browser(), identity.browser(), identity.browser()]
  for (const browser of [known, signedIn, stranger]) browser.address = attacker.address
  await known.signIn(ADA)
  known.cookies.delete('ory_kratos_session')
  await identity.user('bob@example.com')
  await signedIn.signIn('bob@example.com')
  signedIn.cookies.delete('device')
  await exhaust(() => attacker.signIn('eve@example.com', 'wrong'))
  await exhaust(() => recovery(attacker, 'eve@example.com'))
  await exhaust(() => attacker.open('login'))
  assert.equal((await stranger.open('login')).status, 429)
  for (const kind of ['login', 'recovery'] as const) assert.equal((await known.open(kind)).status, 200)
  assert.equal((await known.signIn(ADA)).status, 200)
  known.cookies.delete('ory_kratos_session')
  assert.equal((await recovery(known)).status, 200)
  const form = await signedIn.open('settings')
  const values = { method: 'profile', traits: { email: 'bob@example.com', name: 'Bob' } }
  assert.equal((await signedIn.submit(form, values)).status, 200)
})

test('SEC-68 quiet networks and known devices send beyond the email total', async () => {
  const limits = { mail: { total: { burst: 60, refill: '1h' } } }
  const { identity, attacker } = await underAttack({ limits })
  const known = identity.browser()
  await known.signIn(ADA)
  known.cookies.delete('ory_kratos_session')
  let n = 0
  const sent = await exhaust(() => recovery(attacker, `user${n++}@example.com`))
  assert.equal(sent, 60 + 20)
  assert.equal((await recovery(identity.browser())).status, 200)
  known.address = attacker.address
  assert.equal((await recovery(known)).status, 200)
})

test('SEC-68 all networks send at most twice the total', async () => {
  const limits = { mail: { total: { burst: 30, refill: '1h' } } }
  const { identity } = await underAttack({ limits })
  let n = 0
  const sent = await exhaust(() => recovery(identity.app(), `user${n++}@example.com`))
  assert.equal(sent, 60)
})

test("SEC-68 a refusal names the first available limit's wait", async () => {
  const mail = { account: { burst: 1, refill: '1h' }, allowance: { burst: 1, refill: '10m' } }
  const { attacker } = await underAttack({ limits: { mail } })
  assert.equal(await exhaust(() => recovery(attacker)), 2)
  assert.equal((await recovery(attacker)).headers.get('retry-after'), '600')
})

test('SEC-69 SEC-13 networks share the guesses at any account', async () => {
  const limits = { password: { allowances: { burst: 12, refill: '1h' } } }
  const { identity } = await underAttack({ limits })
  const shapes = []
  for (const email of [ADA, 'nobody@example.com']) {
    const answers: Answer[] = []
    for (let n = 0; n < 40; n++) answers.push(await identity.app().signIn(email, 'wrong'))
    assert.equal(answers.filter(({ status }) => status === 400).length, 10 + 12)
    shapes.push(
      answers.map((answer) => [answer.status, messageIds(answer), answer.headers.get('retry-after')]),
    )
  }
  assert.deepEqual(shapes[0], shapes[1])
  assert.ok(
    identity.logged.some((line) => line.includes('limit_reached') && line.includes('password.account')),
  )
})

test('limits sign-ups by client, but not from loopback in dev mode', async () => {
  const limits = { registration: { client: { burst: 2, refill: '1h' } } }
  const signUps = async (address: string, dev: boolean) => {
    const secrets = { default: ['a secret of thirty-two characters'] }
    const identity = await createTestIdentity({ dev, limits, secrets })
    const statuses: number[] = []
    for (let n = 0; n < 3; n++) {
      const app = identity.app()
      app.address = address
      statuses.push((await app.register(`user-${n}@my-app.test`)).status)
    }
    return { statuses, logged: identity.logged.join() }
  }
  assert.deepEqual((await signUps('127.0.0.1', true)).statuses, [200, 200, 200])
  assert.deepEqual((await signUps('127.0.0.1', false)).statuses, [200, 200, 429])
  const { statuses, logged } = await signUps('10.1.2.3', true)
  assert.deepEqual(statuses, [200, 200, 429])
  assert.match(logged, /limit_reached.*limits\.registration\.client/)
})

testOnEach('SEC-69 SEC-44 parallel guesses from many networks exceed no allowance', async () => {
  const { first, app } = await replicas({
    limits: { password: { allowances: { burst: 8, refill: '1h' } } },
  })
  await first.user(ADA)
  const clients = Array.from({ length: 60 }, () => app())
  const forms = []
  for (const client of clients) forms.push([client, await client.open('login')] as const)
  const values = { method: 'password', identifier: ADA, password: 'wrong' }
  const answers = await Promise.all(forms.map(([client, form]) => client.submit(form, values)))
  const compared = answers.filter(({ status }) => status === 400).length
  assert.ok(compared <= 10 + 8, `${compared} were compared`)
})

test('SEC-69 a user has one budget across devices', async () => {
  const tight = { burst: 3, refill: '1h' }
  const { identity } = await underAttack({ limits: { flow: { client: { burst: 40 }, own: tight } } })
  const browsers: Browser[] = []
  for (let n = 0; n < 4; n++) {
    const browser = identity.browser()
    await browser.signIn(ADA)
    browser.address = '203.0.113.7'
    browsers.push(browser)
  }
  const stranger = identity.app()
  stranger.address = '203.0.113.7'
  await exhaust(() => stranger.open('login'))
  const opened = async (kind: 'settings' | 'login') => {
    const answers = await Promise.all(browsers.map((browser) => browser.open(kind)))
    return answers.filter(({ status }) => status === 200).length
  }
  assert.equal(await opened('settings'), 3)
  for (const browser of browsers) browser.cookies.delete('ory_kratos_session')
  assert.equal(await opened('login'), 3)
})

test('SEC-69 wrong passwords on known devices share one budget', async () => {
  const { identity, attacker } = await underAttack({ limits: { password: { allowance: 'off' } } })
  const devices = [identity.browser(), identity.browser(), identity.browser()]
  for (const device of devices) {
    await device.signIn(ADA)
    device.cookies.delete('ory_kratos_session')
  }
  await exhaust(() => attacker.signIn(ADA, 'wrong'))
  let compared = 0
  for (const device of devices) compared += await exhaust(() => device.signIn(ADA, 'wrong'))
  assert.equal(compared, 10)
})

async function underAttack(overrides: Merge = {}): Promise<{ identity: TestIdentity; attacker: App }> {
  const identity = await createTestIdentity(overrides)
  await identity.user(ADA)
  return { identity, attacker: identity.app() }
}

async function exhaust(send: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let accepted = 0; accepted < 300; accepted++) if ((await send()).status === 429) return accepted
  return assert.fail('no limit refused')
}

async function recovery(caller: App | Browser, email = ADA): Promise<Answer> {
  return await caller.submit(await caller.open('recovery'), { method: 'code', email })
}
