import assert from 'node:assert/strict'
import { type Answer, messageIds } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import {
  callbackOf,
  formOf,
  GRACE,
  leave,
  parts,
  providerEntry,
  signInWith,
  withProviders,
} from '../../servers/oidc-kit.ts'
import { startOpenIdProvider, type User } from '../../servers/openid-provider.ts'

const TAKEN = String(GRACE.email)
const FREE = 'nobody@example.com'

/** Enumeration mitigation, with these hooks after a registration by `acme`. One account has `TAKEN`. */
async function hiding(...names: readonly string[]) {
  return await hidingWith(names, {})
}

async function hidingWith(names: readonly string[], login: object) {
  const hooks = names.map((hook) => ({ hook }))
  const flows = {
    registration: { after: { oidc: { hooks } }, login_hints: true },
    verification: { enabled: true, use: 'code', ui_url: 'http://app.test/verify' },
    login,
  }
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const providers = [providerEntry('acme', { issuer_url: acme.issuer })]
  const security = { account_enumeration: { mitigate: true } }
  const identity = await createTestIdentity({ ...withProviders(providers, { flows }), security }, parts(acme))
  await identity.user(TAKEN)
  return { identity, acme }
}

async function seen(browser: Browser, email: string, { status, headers, location = '' }: Answer) {
  const { body } = await formOf(browser, {
    location: location.replace('/verify?', '/verification?'),
  } as Answer)
  const cookies = headers.getSetCookie().map((cookie) => cookie.split('=')[0])
  const text = JSON.stringify({ status, cookies, location, body }, (name, value) =>
    /_at$|token$/.test(value?.name ?? name) ? name : value,
  )
  return text.replaceAll(email, 'EMAIL').replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, 'ID')
}

const PROVEN = { after: { hooks: [{ hook: 'require_verified_address' }] } }

const unproven = (email: string): User => ({ sub: `a user at ${email}`, email, email_verified: false })

for (const hooks of [
  ['show_verification_ui'],
  ['session', 'require_verified_address', 'show_verification_ui'],
]) {
  test(`SEC-13 after ${hooks.join(', ')}: a provider without verified addresses reveals no account`, async () => {
    const { identity, acme } = await hiding(...hooks)
    const [one, two] = [identity.browser(), identity.browser()]
    const free = await seen(one, FREE, await signInWith(one, acme, unproven(FREE)))
    const taken = await seen(two, TAKEN, await signInWith(two, acme, unproven(TAKEN)))
    assert.deepEqual(taken, free)
    assert.equal((await two.whoami()).status, 401)
    const [mail] = await identity.mails(TAKEN)
    assert.equal(mail?.template_type, 'registration_duplicate')
    const accounts = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
    const [owner] = accounts.filter((one: { traits: { email: string } }) => one.traits.email === TAKEN)
    assert.equal(owner.credentials.oidc, undefined)
  })
}

test("SEC-13 an address typed instead of the provider's reveals no account", async () => {
  const { identity, acme } = await hiding('show_verification_ui')
  for (const [sub, user] of [
    ['none', {}],
    ['another', { email: 'own@example.com', email_verified: true }],
  ] as const) {
    const typed = async (email: string) => {
      acme.user = { ...user, sub: `${sub} for ${email}` }
      const browser = identity.browser()
      const there = await leave(browser, await browser.open('registration'), 'acme', { traits: { email } })
      return await seen(browser, email, await browser.navigate(await acme.visit(there)))
    }
    assert.deepEqual(await typed(TAKEN), await typed(`${sub}@example.com`))
  }
})

test('SEC-111 later sign-ins of a provider account reveal no address either', async () => {
  for (const [sub, user] of [
    ['none', {}],
    ['unverified', { email_verified: false }],
  ] as const) {
    const walk = async (email: string) => {
      const { identity, acme } = await hidingWith(['show_verification_ui'], PROVEN)
      const provided = sub === 'unverified' ? { email } : {}
      acme.user = { ...user, ...provided, sub: `${sub} for ${email}` }
      const register = async (browser: Browser, address: string) => {
        const there = await leave(browser, await browser.open('registration'), 'acme', {
          traits: { email: address },
        })
        return await seen(browser, email, await browser.navigate(await acme.visit(there)))
      }
      const signIn = async (browser: Browser) =>
        await seen(browser, email, await signInWith(browser, acme, acme.user))
      const [one, two, three] = [identity.browser(), identity.browser(), identity.browser()]
      const owner = await identity.signedIn('third@example.com')
      const steps = [await register(one, email), await signIn(one), await signIn(two)]
      steps.push(await register(three, email), await signIn(three), await register(two, 'fourth@example.com'))
      const sent: Answer = await owner.submit(await owner.open('settings'), { link: 'acme' })
      const linked = await owner.navigate(await acme.visit(sent.body.redirect_browser_to))
      steps.push(await seen(owner, email, linked))
      assert.equal((await signInWith(identity.browser(), acme, acme.user)).location, 'http://app.test/')
      return steps
    }
    assert.deepEqual(await walk(TAKEN), await walk('free@example.com'), sub)
  }
})

test('SEC-111 a provider account works once its address is verified', async () => {
  const { identity, acme } = await hidingWith(['show_verification_ui'], PROVEN)
  acme.user = { sub: 'no address' }
  const browser = identity.browser()
  const there = await leave(browser, await browser.open('registration'), 'acme', { traits: { email: FREE } })
  const form = await formOf(browser, await browser.navigate(await acme.visit(there)))
  const code = await identity.code(FREE)
  assert.equal((await browser.submit(form, { method: 'code', code })).body.state, 'passed_challenge')
  assert.equal((await signInWith(identity.browser(), acme, acme.user)).location, 'http://app.test/')
})

test("a provider's verified address leads to the sign-in that connects it", async () => {
  for (const email of [TAKEN, TAKEN.toUpperCase()]) {
    const { identity, acme } = await hiding('session', 'require_verified_address', 'show_verification_ui')
    const browser = identity.browser()
    const form = await formOf(browser, await signInWith(browser, acme, { ...GRACE, email }))
    assert.deepEqual(messageIds(form), [1010016])
  }
})

test('asks the owner to sign in if registrations sign in', async () => {
  const { identity, acme } = await hiding('session')
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, unproven(TAKEN)))
  assert.deepEqual(messageIds(form), [1010016])
})
