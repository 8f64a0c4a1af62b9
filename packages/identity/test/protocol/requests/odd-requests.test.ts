import assert from 'node:assert/strict'
import { type FlowAnswer, fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA, BY_LINK, linkTo } from '../../kit/recovery-kit.ts'

const NAMES = ['verification', 'recovery'] as const

test('a script that opens a verification by GET lacks its address', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const form = await browser.open('verification')
  const asked = await browser.get(form.body.ui.action)
  assert.deepEqual([asked.status, messageIds(asked)], [400, [4010006]])
  const elsewhere = await identity.browser().navigate(form.body.ui.action)
  assert.equal(elsewhere.location, `http://app.test/verify?flow=${form.body.id}`)
})

for (const kind of NAMES) {
  test(`a missing ${kind} id returns 400, an unknown one 404`, async () => {
    const browser = (await createTestIdentity()).browser()
    const path = `/self-service/${kind}`
    const queries = ['', '?flow=abc', '?code=123456', '?flow=8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11']
    const statuses = []
    for (const query of queries) statuses.push((await browser.get(path + query)).status)
    assert.deepEqual(statuses, [400, 400, 400, 404])
  })

  test(`a ${kind} cannot begin with a disabled method`, async () => {
    const off = { selfservice: { methods: { code: { enabled: false } } } }
    const identity = await createTestIdentity(off)
    assert.equal((await identity.browser().open(kind)).status, 400)
    assert.equal((await identity.app().open(kind)).status, 400)
  })
}

test('finds a form and an error by every spelling of the id', async () => {
  const browser = (await createTestIdentity()).browser()
  const { id } = (await browser.open('verification')).body
  const failed = await browser.navigate('/self-service/login/browser?return_to=https://evil.test/')
  const error = new URL(failed.location ?? '').searchParams.get('id') ?? ''
  const submit = (flow: string) =>
    browser.send('POST', `/self-service/verification?flow=${flow}`, { method: 'code', email: 'nope' }, {})
  const bare = (id: string) => id.replaceAll('-', '').toUpperCase()
  for (const spell of [bare, (id: string) => `{${id}}`, (id: string) => `urn:uuid:${bare(id)}`]) {
    const form = await browser.get(`/self-service/verification/flows?id=${spell(id)}`)
    const shown = await browser.get(`/self-service/errors?id=${spell(error)}`)
    assert.deepEqual([form.body.id, (await submit(spell(id))).body.id, shown.body.id], [id, id, error])
  }
  const nil = '00000000-0000-0000-0000-000000000000'
  for (const wrong of [nil, `{${id}`, `[${id}]`, `URN:UUID:${id}`, `${id}0`, id.replace('-', '_')])
    assert.equal((await submit(wrong)).status, 400, wrong)
})

test('reads Accept as Kratos does', async () => {
  const browser = (await createTestIdentity()).browser()
  for (const [accept, status] of [
    ['application/json', 200],
    ['text/html;q=0.8, application/json', 200],
    ['application/json;q=0.9,text/html', 303],
    ['application/json;charset=utf-8', 303],
    ['application/json, text/html;level=1', 200],
    ['*/*', 303],
  ] as const) {
    const opened = await browser.get('/self-service/login/browser', { headers: { accept } })
    assert.equal(opened.status, status, accept)
  }
})

test('a completed verification redirects a page', async () => {
  const identity = await createTestIdentity()
  const page = { headers: { accept: 'text/html' } }
  const browser = identity.browser()
  const form = await browser.open('verification')
  const sent = await browser.submit(form, { method: 'code', email: ADA }, page)
  assert.deepEqual([sent.status, sent.location], [303, `http://app.test/verify?flow=${form.body.id}`])
  const refused = await browser.submit(form, { method: 'code', email: 'nope' }, page)
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'email')], [400, [4000040]])
  const app = identity.app()
  const opened = await app.open('verification')
  const native = await app.submit(opened, { method: 'code', email: ADA }, page.headers)
  assert.deepEqual([native.status, native.location], [303, `http://app.test/verify?flow=${opened.body.id}`])
})

test('reports an unknown method, whatever value was sent', async () => {
  const browser = (await createTestIdentity()).browser()
  for (const method of [['code'], 7, {}, 'CODE', true]) {
    const refused = await browser.submit(await browser.open('verification'), { method, email: ADA })
    assert.deepEqual([refused.status, fieldMessageIds(refused, 'method')], [400, [4000001]])
  }
})

test("an app's verification survives an unreadable body", async () => {
  const app = (await createTestIdentity()).app()
  const unread = await app.submit(await app.open('verification'), { method: 'code', transient_payload: [1] })
  assert.deepEqual(namesIn(unread), ['email', 'method', 'transient_payload'])
  const refused = await app.submit(await app.open('verification'), { method: 'link' })
  assert.deepEqual(namesIn(refused), ['email', 'method', 'csrf_token'])
})

test('an unknown field follows the token of a verification', async () => {
  const browser = (await createTestIdentity()).browser()
  const form = await browser.open('verification')
  const refused = await browser.submit(form, { method: 'code', transient_payload: [1] })
  assert.deepEqual(namesIn(refused), ['email', 'method', 'csrf_token', 'transient_payload'])
})

test('a payload of another type is reported with the other wrong fields', async () => {
  const browser = (await createTestIdentity()).browser()
  const form = await browser.open('login')
  const refused = await browser.submit(form, { method: 'password', transient_payload: [1] })
  for (const [field, id] of [
    ['transient_payload', 4000026],
    ['identifier', 4000002],
    ['password', 4000002],
  ] as const)
    assert.deepEqual(fieldMessageIds(refused, field), [id])
  const unread = await browser.submit(form, { method: 'password', transient_payload: 'undefined' })
  assert.deepEqual([messageIds(unread), fieldMessageIds(unread, 'identifier')], [[4000001], []])
})

test('submitting a completed verification changes nothing', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('verification')
  await browser.submit(form, { method: 'code', email: ADA })
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  const empty = await browser.submit(form, {})
  assert.deepEqual([empty.status, messageIds(empty)], [400, [1080002, 4010006]])
})

for (const kind of NAMES) {
  test(`accepts a ${kind} form at the emailed link`, async () => {
    const identity = await createTestIdentity(BY_LINK)
    await identity.user(ADA)
    const browser = identity.browser()
    const form = await browser.open(kind)
    await browser.submit(form, { method: 'link', email: ADA })
    const link = await linkTo(identity, ADA)
    const wrong = await browser.send('POST', `${form.body.ui.action}&token=wrong`, { method: 'link' }, {})
    assert.equal(wrong.status, 303)
    const opened = await browser.send('POST', link, { method: 'link' }, {})
    if (kind === 'recovery') assert.equal((await browser.whoami()).status, 200)
    else assert.deepEqual([opened.status, opened.body.state], [200, 'passed_challenge'])
  })
}

test('an expired verification link leads to a new flow', async () => {
  const identity = await createTestIdentity(BY_LINK)
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('verification')
  await browser.submit(form, { method: 'link', email: ADA })
  await browser.navigate(await linkTo(identity, ADA))
  const again = await browser.submit(form, { method: 'link', email: ADA })
  assert.equal(again.status, 303)
  assert.match(again.location ?? '', /^http:\/\/app\.test\/verify\?flow=/)
})

test('a link token recovers nothing where links are disabled', async () => {
  const browser = (await createTestIdentity()).browser()
  const form = await browser.open('recovery')
  const asked = await browser.get(`${form.body.ui.action}&token=wrong`)
  assert.deepEqual([asked.status, messageIds(asked)], [400, [4000001]])
})

test("redirects a page that submits an app's recovery", async () => {
  const identity = await createTestIdentity()
  const native = await identity.app().open('recovery')
  const page = identity.browser()
  await page.open('recovery')
  const sent = await page.post(native.body.ui.action, { method: 'code', email: ADA })
  assert.match(sent.location ?? '', /^http:\/\/app\.test\/recovery\?flow=/)
})

test('a list has a field per entry', async () => {
  const schema = structuredClone(userSchema)
  const tags = { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 }
  Object.assign(schema.properties.traits.properties, { tags })
  const identity = await createTestIdentity({ identity: { schemas: [{ id: 'default', schema }] } })
  const browser = await identity.signedIn(ADA)
  const save = async (traits: object) => {
    return await browser.submit(await browser.open('settings'), { method: 'profile', ...traits })
  }
  const saved = await save({ traits: { email: ADA, tags: ['one', 'two'] } })
  assert.deepEqual(entriesIn(saved), ['one', 'two'])
  const form = { 'traits.email': ADA, 'traits.tags.0': 'one', 'traits.tags.1': '', 'traits.tags': 'three' }
  assert.deepEqual(entriesIn(await save(form)), ['one', 'three'])
  const refused = await save({ traits: { email: ADA, tags: ['one', 'x', 'two'] } })
  assert.deepEqual([refused.status, entriesIn(refused)], [400, ['one', 'x', 'two']])
  assert.deepEqual(fieldMessageIds(refused, 'traits.tags.1'), [4000003])
})

test('rejects a disallowed return address first', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  await browser.register(ADA)
  const foreign = '?return_to=https%3A%2F%2Fevil.test%2F'
  for (const kind of ['login', 'registration'] as const) {
    const refused = await browser.open(kind, foreign)
    assert.deepEqual([refused.status, idOf(refused)], [400, 'self_service_flow_return_to_forbidden'])
  }
  const anonymous = await identity.app().open('login', `${foreign}&aal=aal2`)
  assert.equal(idOf(anonymous), 'self_service_flow_return_to_forbidden')
})

test('rejects an invalid address sent with a code', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('verification')
  await browser.submit(form, { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  const refused = await browser.submit(form, { method: 'code', email: 'nope', code })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'email')], [400, [4000040]])
  const proven = await browser.submit(form, { method: 'code', code })
  assert.equal(proven.body.state, 'passed_challenge')
})

test('a disabled settings method does not exist', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  await browser.register(ADA)
  const fields = ['lookup_secret_regenerate', 'totp_unlink', 'passkey_remove']
  for (const field of fields) {
    const refused = await browser.submit(await browser.open('settings'), { [field]: 'true' })
    assert.equal(refused.status, 404, field)
  }
})

test("going back from a recovery's first screen stays there", async () => {
  const choose = { feature_flags: { choose_recovery_address: true } }
  const browser = (await createTestIdentity(choose)).browser()
  const back = await browser.submit(await browser.open('recovery'), { method: 'code', screen: 'previous' })
  assert.deepEqual([back.status, back.body.state], [200, 'recovery_awaiting_address'])
})

test('an empty via is absent', async () => {
  const identity = await createTestIdentity({
    selfservice: { methods: { code: { mfa_enabled: true } } },
  })
  await identity.user(ADA)
  const app = identity.app()
  const first = await app.open('login')
  const signedIn = await app.submit(first, { method: 'password', identifier: ADA, password: PASSWORD })
  app.token = (signedIn.body as unknown as { session_token: string }).session_token
  const form = await app.open('login', '?aal=aal2&via=')
  assert.equal(form.body.state, 'sent_email')
  assert.ok(!namesIn(await app.submit(form, {})).includes('csrf_token'))
  assert.ok(namesIn(await app.submit(form, { method: 'code', code: '1' })).includes('csrf_token'))
})

for (const kind of NAMES) {
  test(`an expired ${kind} link leads to a new flow`, async () => {
    const identity = await createTestIdentity(BY_LINK)
    await identity.user(ADA)
    const browser = identity.browser()
    await browser.submit(await browser.open(kind), { method: 'link', email: ADA })
    const link = await linkTo(identity, ADA)
    identity.advance(15 * 60_000)
    const script = await browser.get(link)
    assert.match(script.location ?? '', new RegExp(`/self-service/${kind}/flows\\?id=`))
    const page = await browser.navigate(link)
    assert.match(page.location ?? '', /^http:\/\/app\.test\//)
  })
}

test('a recovery link without its token reports a missing method', async () => {
  const browser = (await createTestIdentity(BY_LINK)).browser()
  const form = await browser.open('recovery')
  const opened = await browser.get(form.body.ui.action)
  assert.deepEqual([opened.status, messageIds(opened)], [400, [4010005]])
})

function entriesIn(flow: FlowAnswer): unknown[] {
  const entries = namesIn(flow).filter((name) => /^traits\.tags\.\d+$/.test(name))
  // By value.
  return entries.sort().map((name) => nodeOf(flow, name)?.value)
}

function namesIn({ body }: FlowAnswer): string[] {
  return body.ui.nodes.map(({ attributes }) => ('name' in attributes ? attributes.name : attributes.id))
}

function idOf({ body }: FlowAnswer): string | undefined {
  return (body as unknown as { error?: { id?: string } }).error?.id
}
