import assert from 'node:assert/strict'
import { type Answer, tokenOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const EVE = 'eve@example.com'
const COOKIE = 'ory_kratos_session'
const SIGN_IN = { method: 'password', identifier: ADA, password: PASSWORD }

/** Steps that raise or renew trust, in a browser whose cookie an attacker has. */
const RISES: Record<string, (identity: TestIdentity, browser: Browser) => Promise<() => Promise<Answer>>> = {
  'a sign-in': async (_identity, browser) => {
    await browser.signIn(EVE)
    const planted = browser.cookies.get(COOKIE) ?? ''
    await signOut(browser)
    browser.cookies.set(COOKIE, planted)
    return () => browser.signIn(ADA)
  },
  'a second factor': async (identity, browser) => {
    const owner = identity.browser()
    await owner.signIn(ADA)
    const secret = await addTotp(identity, owner)
    await browser.signIn(ADA)
    const form = await browser.open('login', '?aal=aal2')
    return () => browser.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })
  },
  'a confirmation': async (_identity, browser) => {
    await browser.signIn(ADA)
    const form = await browser.open('login', '?refresh=true')
    return () => browser.submit(form, SIGN_IN)
  },
  'a recovery': async (identity, browser) => {
    await browser.signIn(EVE)
    const planted = browser.cookies.get(COOKIE) ?? ''
    browser.cookies.delete(COOKIE)
    const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
    const code = await identity.code(ADA)
    browser.cookies.set(COOKIE, planted)
    return () => browser.submit(form, { method: 'code', code })
  },
  'setting up a second factor': async (identity, browser) => {
    await browser.signIn(ADA)
    return async () => {
      await addTotp(identity, browser)
      return await browser.whoami()
    }
  },
}

for (const [name, begin] of Object.entries(RISES)) {
  test(`SEC-19 the earlier cookie grants no more after ${name}`, async () => {
    const { identity, browser } = await withTwo()
    const rise = await begin(identity, browser)
    const known = browser.cookies.get(COOKIE)
    await rise()
    assert.ok(known)
    assert.notEqual(tokenIn(browser.cookies.get(COOKIE)), tokenIn(known))
    assert.equal((await browser.whoami()).body.identity?.traits.email, ADA)
    const attacker = await identity
      .browser()
      .get('/sessions/whoami', { headers: { cookie: `${COOKIE}=${known}` } })
    assert.notEqual(attacker.body.identity?.traits.email, ADA)
  })
}

for (const kind of ['login', 'registration', 'recovery', 'verification'] as const) {
  test(`SEC-19 no other browser completes an attacker's ${kind} form`, async () => {
    const { identity, browser: victim } = await withTwo()
    const attacker = identity.browser()
    const planted = await attacker.open(kind)
    const own = await victim.open(kind)
    const shown = await victim.get(`/self-service/${kind}/flows?id=${planted.body.id}`)
    assert.equal(shown.status, 403)
    const values = {
      login: SIGN_IN,
      registration: { method: 'password', password: PASSWORD, traits: { email: 'new@example.com' } },
      recovery: { method: 'code', email: ADA },
      verification: { method: 'code', email: ADA },
    }[kind]
    const mails = (await identity.listMails(100)).length
    for (const csrf_token of [tokenOf(planted), tokenOf(own), undefined]) {
      const refused = await victim.submit(planted, { ...values, csrf_token })
      assert.equal(refused.status, 403)
      assert.equal(
        [...victim.cookies.values()].some((value) => value.startsWith('ory_st_')),
        false,
      )
    }
    assert.equal((await identity.listMails(100)).length, mails)
    const after = await attacker.get(`/self-service/${kind}/flows?id=${planted.body.id}`)
    assert.deepEqual([after.status, after.body.state], [200, 'choose_method'])
  })
}

test("SEC-19 an app that completes another's flow gets its session", async () => {
  const { identity } = await withTwo()
  const [attacker, victim] = [identity.app(), identity.app()]
  const planted = await attacker.open('login')
  const done = await victim.submit(planted, SIGN_IN)
  assert.equal(done.status, 200)
  const fetched = await attacker.send('GET', `/self-service/login/flows?id=${planted.body.id}`)
  assert.equal(JSON.stringify(fetched.body).includes('ory_st_'), false)
  assert.equal((await attacker.submit(planted, { method: 'password' })).status, 400)
})

test("SEC-19 a browser's two users never share a session", async () => {
  const { identity, browser } = await withTwo()
  const seen = new Map<string, string>()
  for (const email of [ADA, EVE, ADA, EVE]) {
    await browser.signIn(email)
    const { body } = await browser.whoami()
    assert.equal(body.identity.traits.email, email)
    assert.equal(seen.has(body.id), false, 'each sign-in is a new session')
    seen.set(body.id, email)
    await signOut(browser)
  }
  assert.equal((await identity.browser().whoami()).status, 401)
})

async function withTwo() {
  const identity = await createTestIdentity(SECOND_FACTORS)
  await identity.user(ADA)
  await identity.user(EVE)
  return { identity, browser: identity.browser() }
}

function tokenIn(cookie: string | undefined): string | undefined {
  return cookie?.split('.')[0]
}

async function signOut(browser: Browser): Promise<void> {
  await browser.navigate((await browser.get('/self-service/logout/browser')).body.logout_url)
}
