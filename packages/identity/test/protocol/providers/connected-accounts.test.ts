import assert from 'node:assert/strict'
import { type Answer, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, codeOf, STEP_MS } from '../../kit/factors.ts'
import { formOf, GRACE, signInWith, withAcme } from '../../servers/oidc-kit.ts'

test('shows the connected account and the time', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  const before = identity.now().toISOString()
  await signInWith(browser, acme, GRACE)
  const { id } = (await browser.whoami()).body.identity
  const [connection, ...others] = (await identity.account.credentials(id)).connections
  assert.deepEqual(others, [])
  assert.equal(connection?.account, GRACE.email)
  assert.ok(connection && connection.connected_at > before)
})

test('an imported connection has no account name', async () => {
  const { identity } = await withAcme()
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'grace@example.com' },
    credentials: { oidc: { config: { providers: [{ provider: 'acme', subject: 'imported' }] } } },
  })
  const [connection] = (await identity.account.credentials(made.body.id)).connections
  assert.equal(connection?.account, undefined)
  assert.equal(connection?.connected_at, made.body.created_at)
})

test('declining a connection leaves no active method', async () => {
  const { identity, acme } = await withAcme()
  const browser = await identity.signedIn('ada@example.com')
  acme.user = undefined
  const settings = await browser.open('settings')
  const sent: Answer = await browser.submit(settings, { method: 'oidc', link: 'acme' })
  const back = await browser.navigate(await acme.visit(sent.body.redirect_browser_to))
  const form: Answer = await formOf(browser, back)
  assert.deepEqual([messageIds(form), form.body.active], [[4000001], undefined])
})

test('reauthenticating applies the pending change', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE)
  identity.advance(15 * 60_000)
  const settings = await browser.open('settings')
  // A provider that cannot be connected is reported first.
  assert.equal((await browser.submit(settings, { link: 'acme' })).status, 400)
  const traits = { email: 'new@example.com' }
  assert.equal((await browser.submit(settings, { method: 'profile', traits })).status, 403)
  await signInWith(browser, acme, GRACE, { query: '?refresh=true' })
  await browser.navigate(settings.body.ui.action)
  assert.equal((await browser.whoami()).body.identity.traits.email, traits.email)
})

test('connects a two-factor account after both factors', async () => {
  const { identity, acme } = await withAcme({ methods: { totp: { enabled: true } } })
  const email = String(GRACE.email)
  const owner = await identity.signedIn(email)
  const secret = await addTotp(identity, owner)
  for (const asPage of [false, true]) {
    const browser = identity.browser()
    const query = '?return_to=http%3A%2F%2Fapp.test%2Fafter'
    const user = { ...GRACE, sub: `page ${asPage}` }
    const form = await formOf(browser, await signInWith(browser, acme, user, { query }))
    const body = { method: 'password', identifier: email, password: PASSWORD }
    const csrf_token = String(nodeOf(form, 'csrf_token')?.value)
    const second = asPage
      ? await formOf(browser, await browser.post(form.body.ui.action, { ...body, csrf_token }))
      : await browser.submit(form, body)
    assert.equal(second.status, 200)
    const asked = new URL(second.body.request_url)
    assert.equal(asked.pathname, '/self-service/login/browser')
    assert.deepEqual(Object.fromEntries(asked.searchParams), {
      aal: 'aal2',
      return_to: 'http://app.test/after',
    })
    const linked = async () => {
      const [account] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
      return account.credentials.oidc?.identifiers.length ?? 0
    }
    assert.equal(await linked(), asPage ? 1 : 0)
    identity.advance(STEP_MS)
    const done = await browser.submit(second, { method: 'totp', totp_code: codeOf(identity, secret) })
    assert.equal(done.status, 200)
    assert.equal(await linked(), asPage ? 2 : 1)
  }
})

test('connecting to an account that gets codes sends one at once', async () => {
  const { identity, acme } = await withAcme({ methods: { code: { mfa_enabled: true } } })
  const email = String(GRACE.email)
  await identity.user(email)
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, { ...GRACE, sub: 'another' }))
  const second = await browser.submit(form, { method: 'password', identifier: email, password: PASSWORD })
  assert.deepEqual([second.body.state, messageIds(second)], ['sent_email', [1010014]])
  const done = await browser.submit(second, { method: 'code', code: await identity.code(email) })
  assert.equal(done.status, 200)
})
