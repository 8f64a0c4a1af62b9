import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, codeOf, STEP_MS } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import {
  callbackOf,
  errorOf,
  formOf,
  GRACE,
  leave,
  parts,
  providerEntry,
  signInWith,
  withAcme,
  withProviders,
} from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

test('an unknown user registers, then signs in to the same account', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  const first = await signInWith(browser, acme, GRACE)
  assert.deepEqual([first.status, first.location], [303, 'http://app.test/'])
  const session = (await browser.whoami()).body
  assert.deepEqual(session.identity.traits, { email: 'grace@example.com', name: 'Grace' })
  assert.equal(session.identity.verifiable_addresses[0].verified, true)
  assert.deepEqual(
    session.authentication_methods.map(({ method, provider }: Record<string, string>) => [method, provider]),
    [['oidc', 'acme']],
  )
  const elsewhere = identity.browser()
  await signInWith(elsewhere, acme, GRACE, { kind: 'registration' })
  assert.equal((await elsewhere.whoami()).body.identity.id, session.identity.id)
})

test('the form has traits where only providers register', async () => {
  const methods = { password: { enabled: false }, passkey: { enabled: false } }
  const { identity } = await withAcme({ methods })
  const form = await identity.browser().open('registration')
  assert.ok(nodeOf(form, 'traits.email'))
  assert.equal(nodeOf(form, 'password'), undefined)
  assert.ok(nodeOf(form, 'provider'))
})

test('redirects a page to the provider and back', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  acme.user = GRACE
  const flow = await browser.open('login', '?return_to=http://app.test/after')
  const csrf_token = String(nodeOf(flow, 'csrf_token')?.value)
  const sent = await browser.post(flow.body.ui.action, { provider: 'acme', csrf_token })
  assert.equal(sent.status, 303)
  const back = await browser.navigate(await acme.visit(sent.location ?? ''))
  assert.deepEqual([back.status, back.location], [303, 'http://app.test/after'])
})

test('asks for missing traits, and shows unknown ones', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  const back = await signInWith(browser, acme, { sub: 'no-mail', name: 'Ada' })
  const form = await formOf(browser, back)
  assert.deepEqual(fieldMessageIds(form, 'traits.email'), [4000002])
  assert.equal(nodeOf(form, 'traits.name')?.value, 'Ada')
  const traits = { email: 'ada@example.com', name: 'Ada' }
  const send = async (traits: object) =>
    browser.navigate(await acme.visit(await leave(browser, form, 'acme', { traits })))
  const unknown = await formOf(browser, await send({ ...traits, size: 43 }))
  assert.equal(nodeOf(unknown, 'traits.size')?.value, 43)
  assert.equal((await send(traits)).location, 'http://app.test/')
  const { identity: account } = (await browser.whoami()).body
  assert.equal(account.traits.email, 'ada@example.com')
  assert.equal(account.verifiable_addresses[0].verified, false)
})

test('asks for a verified address first where required', async () => {
  const hooks = ['session', 'require_verified_address', 'show_verification_ui'].map((hook) => ({ hook }))
  const flows = {
    registration: { after: { oidc: { hooks } } },
    verification: { enabled: true, use: 'code', ui_url: 'http://app.test/verify' },
  }
  const { identity, acme } = await withAcme({ flows })
  const browser = identity.browser()
  const back = await signInWith(browser, acme, { ...GRACE, email_verified: false })
  assert.match(back.location ?? '', /^http:\/\/app\.test\/verif\w+\?flow=/)
  assert.equal((await browser.whoami()).status, 401)
  const other = identity.browser()
  await signInWith(other, acme, { ...GRACE, sub: 'grace-2', email: 'grace.two@example.com' })
  assert.equal((await other.whoami()).status, 200)
})

test('declining returns to the form', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  const back = await signInWith(browser, acme, undefined)
  assert.match(back.location ?? '', /^http:\/\/app\.test\/login\?flow=/)
  const form = await formOf(browser, back)
  assert.deepEqual(messageIds(form), [4000001])
  assert.match(
    form.body.ui.messages?.[0]?.text ?? '',
    /cancelled the login.*\(access_denied: the user said no\)$/,
  )
  acme.user = GRACE
  const again = await browser.navigate(await acme.visit(await leave(browser, form, 'acme')))
  assert.equal(again.location, 'http://app.test/')
})

test('the login form reports disabled registration', async () => {
  const { identity, acme } = await withAcme({ flows: { registration: { enabled: false } } })
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, GRACE))
  assert.deepEqual(messageIds(form), [4000001])
  assert.equal((await browser.whoami()).status, 401)
})

test('reports a deactivated account', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE)
  const { id } = (await browser.whoami()).body.identity
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'replace', path: '/state', value: 'inactive' },
  ])
  const other = identity.browser()
  const error = await errorOf(other, await signInWith(other, acme, GRACE))
  assert.deepEqual([error.code, error.details], [401, { identity_id: id }])
})

test('connects and disconnects accounts, but not the last method', async () => {
  const { identity, acme } = await withAcme()
  const browser = await identity.signedIn('ada@example.com')
  acme.user = GRACE
  const sent = await browser.submit(await browser.open('settings'), { link: 'acme' })
  const there = (sent.body as unknown as { redirect_browser_to: string }).redirect_browser_to
  await browser.navigate(await acme.visit(there))
  const other = identity.browser()
  await signInWith(other, acme, GRACE)
  assert.equal((await other.whoami()).body.identity.traits.email, 'ada@example.com')
  const linked = await browser.open('settings')
  const alone = await browser.submit(linked, { method: 'oidc', unlink: 'acme' })
  assert.equal(alone.status, 200)
  const again = await browser.submit(alone, { method: 'oidc', unlink: 'acme' })
  assert.deepEqual([again.status, messageIds(again)], [400, [4000001]])
  const third = identity.browser()
  await signInWith(third, acme, GRACE)
  assert.equal((await third.whoami()).body.identity.traits.email, 'grace@example.com')
  const only = await third.open('settings')
  assert.equal(nodeOf(only, 'unlink'), undefined)
  const refused = await third.submit(only, { method: 'oidc', unlink: 'acme' })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
})

test('a provider account belongs to one account', async () => {
  const { identity, acme } = await withAcme()
  await signInWith(identity.browser(), acme, GRACE)
  const browser = await identity.signedIn('ada@example.com')
  const sent = await browser.submit(await browser.open('settings'), { method: 'oidc', link: 'acme' })
  const there = (sent.body as unknown as { redirect_browser_to: string }).redirect_browser_to
  const form = await formOf(browser, await browser.navigate(await acme.visit(there)))
  assert.deepEqual(messageIds(form), [4000007])
  assert.match(form.body.ui.messages?.[0]?.text ?? '', /already linked to another user/)
})

test('connects the account after its owner signs in', async () => {
  const { identity, acme } = await withAcme()
  await identity.user(String(GRACE.email))
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, GRACE))
  assert.deepEqual(messageIds(form), [1010016])
  assert.deepEqual(nodeOf(form, 'identifier')?.value, GRACE.email)
  const done = await browser.submit(form, {
    method: 'password',
    identifier: GRACE.email,
    password: PASSWORD,
  })
  assert.equal(done.status, 200)
  const next = identity.browser()
  await signInWith(next, acme, GRACE)
  const { id } = (await browser.whoami()).body.identity
  assert.equal((await next.whoami()).body.identity.id, id)
})

test('SEC-115 connects no account, deletes and exports nothing, below the level of settings', async () => {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const providers = withProviders([providerEntry('acme', { issuer_url: acme.issuer })], {
    methods: { totp: { enabled: true } },
  })
  const session = { whoami: { required_aal: 'aal1' } }
  const identity = await createTestIdentity({ ...providers, session }, parts(acme))
  const email = String(GRACE.email)
  const owner = await identity.signedIn(email)
  const secret = await addTotp(identity, owner)
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, GRACE))
  const second = await browser.submit(form, { method: 'password', identifier: email, password: PASSWORD })
  const { id, identity: account } = (await browser.whoami()).body
  const { credentials, requestDeletion, exportAll } = identity.account
  assert.deepEqual((await credentials(account.id)).connections, [])
  assert.deepEqual(
    [await requestDeletion(id), await exportAll(id)],
    [{ kind: 'confirm' }, { kind: 'confirm' }],
  )
  identity.advance(STEP_MS)
  const done = await browser.submit(second, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(done.status, 200)
  assert.equal((await credentials(account.id)).connections.length, 1)
  assert.equal((await requestDeletion(id)).kind, 'scheduled')
})

test('turns form_post into a GET', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  acme.user = GRACE
  const url = new URL(await acme.visit(await leave(browser, await browser.open('login'), 'acme')))
  const foreign = { cookie: 'none=1', origin: 'https://acme.test' }
  const posted = await browser.post(url.pathname, Object.fromEntries(url.searchParams), foreign)
  url.searchParams.sort()
  assert.deepEqual([posted.status, posted.location], [302, url.href])
  assert.equal(posted.headers.getSetCookie().length, 0)
  const half = await browser.post(url.pathname + url.search, { code: 'x' }, foreign)
  assert.equal(new URL(half.location ?? '').searchParams.get('state'), url.searchParams.get('state'))
  assert.equal((await browser.navigate(url.href)).location, 'http://app.test/')
})

test("lists a taken address's methods with login hints", async () => {
  const { identity, acme } = await withAcme({ flows: { registration: { login_hints: true } } })
  await signInWith(identity.browser(), acme, GRACE)
  const browser = identity.browser()
  const refused = await browser.register(String(GRACE.email))
  const [message] = refused.body.ui.messages
  assert.equal(message.id, 4000028)
  assert.deepEqual(message.context, {
    available_credential_types: ['code', 'oidc'],
    available_oidc_providers: ['acme'],
    credential_identifier_hint: GRACE.email,
  })
})

test('connects an account in the session that began it', async () => {
  const { identity, acme } = await withAcme()
  const browser = await identity.signedIn('ada@example.com')
  acme.user = GRACE
  const sent = await browser.submit(await browser.open('settings'), { method: 'oidc', link: 'acme' })
  const there = (sent.body as unknown as { redirect_browser_to: string }).redirect_browser_to
  const again = identity.browser()
  await again.signIn('ada@example.com')
  for (const [name, value] of browser.cookies) if (!name.endsWith('session')) again.cookies.set(name, value)
  assert.equal((await errorOf(again, await again.navigate(await acme.visit(there)))).code, 400)
  const [account] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  assert.equal(account.credentials.oidc, undefined)
})

test('stores provider tokens only encrypted', async () => {
  for (const [algorithm, kept] of [
    ['noop', false],
    ['xchacha20-poly1305', true],
  ] as const) {
    const { identity, acme } = await withAcme({ ciphers: { algorithm } })
    const browser = identity.browser()
    await signInWith(browser, acme, GRACE)
    const { id } = (await browser.whoami()).body.identity
    const shown = await identity.admin('GET', `/admin/identities/${id}?include_credential=oidc`)
    const [entry] = shown.body.credentials.oidc.config.providers
    assert.equal(entry.initial_id_token.split('.').length === 3, kept)
    assert.equal(entry.initial_access_token !== '', kept)
    assert.deepEqual([entry.account, entry.connected_at], [undefined, undefined])
    const plain = await identity.admin('GET', `/admin/identities/${id}`)
    assert.equal(plain.body.credentials.oidc.config, undefined)
    const settings = await browser.open('settings')
    assert.doesNotMatch(JSON.stringify(settings.body), /initial_/)
  }
})

test('omits a token that no secret decrypts from the admin API', async () => {
  const { identity, acme } = await withAcme({ ciphers: { algorithm: 'xchacha20-poly1305' } })
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE)
  const { id } = (await browser.whoami()).body.identity
  await sql`update credentials set config = replace(config, 'initial_access_token":"', 'initial_access_token":"x')
    where identity_id = ${id}`.execute(identity.db)
  const shown = await identity.admin('GET', `/admin/identities/${id}?include_credential=oidc`)
  const [entry] = shown.body.credentials.oidc.config.providers
  assert.ok(entry.initial_id_token)
  assert.equal(entry.initial_access_token, undefined)
})
