import assert from 'node:assert/strict'
import { type FlowAnswer, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, BY_LINK, letsIn, other } from '../../kit/recovery-kit.ts'

test("an operator's code signs in any browser and verifies no address", async () => {
  const { identity, identity_id } = await helped()
  const made = await identity.admin('POST', '/admin/recovery/code', { identity_id })
  assert.equal(made.status, 201)
  const browser = identity.browser()
  const form = (await browser.get(flowUrl(made.body.recovery_link))) as FlowAnswer
  assert.deepEqual(
    [form.body.state, nodeOf(form, 'csrf_token'), nodeOf(form, 'email')],
    ['sent_email', undefined, undefined],
  )
  const { action } = form.body.ui
  const wrong = await browser.send(
    'POST',
    action,
    { method: 'code', code: other(made.body.recovery_code) },
    {},
  )
  assert.deepEqual([wrong.status, messageIds(wrong)], [200, [4060006]])
  const done = await browser.send('POST', action, { method: 'code', code: made.body.recovery_code }, {})
  assert.equal(letsIn(done), true)
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, false)
  assert.equal((await identity.mails(ADA)).length, 0)
})

test("SEC-02 an operator's flow sends no email", async () => {
  const { identity, identity_id } = await helped()
  await identity.user('eve@example.com')
  const made = await identity.admin('POST', '/admin/recovery/code', { identity_id })
  const form = (await identity.browser().get(flowUrl(made.body.recovery_link))) as FlowAnswer
  const { action } = form.body.ui
  for (let i = 0; i < 5; i++) {
    const refused = await identity
      .browser()
      .send('POST', action, { method: 'code', email: 'eve@example.com' }, {})
    assert.equal(refused.status, 403)
  }
  assert.equal((await identity.mails('eve@example.com')).length, 0)
  const browser = identity.browser()
  await browser.get(flowUrl(made.body.recovery_link))
  const refused = await browser.send('POST', action, { method: 'code', email: 'eve@example.com' }, {})
  assert.deepEqual([refused.status, refused.headers.get('set-cookie')], [403, null])
  const code = made.body.recovery_code
  assert.equal(letsIn(await identity.browser().send('POST', action, { method: 'code', code }, {})), true)
})

test("SEC-03 an operator's code allows five guesses", async () => {
  const { identity, identity_id } = await helped()
  const { body } = await identity.admin('POST', '/admin/recovery/code', { identity_id })
  const browser = identity.browser()
  const path = `/self-service/recovery${new URL(body.recovery_link).search}`
  for (let n = 0; n < 5; n++) await browser.send('POST', path, { code: other(body.recovery_code) }, {})
  assert.equal(letsIn(await browser.send('POST', path, { code: body.recovery_code }, {})), false)
})

test("a form for another code follows an operator's code, where users get links", async () => {
  const { identity, identity_id } = await helped(BY_LINK)
  const { body } = await identity.admin('POST', '/admin/recovery/code', { identity_id })
  const browser = identity.browser()
  const path = `/self-service/recovery${new URL(body.recovery_link).search}`
  for (let n = 0; n < 5; n++) await browser.send('POST', path, { code: other(body.recovery_code) }, {})
  const replaced = await browser.send('POST', path, { code: body.recovery_code }, {})
  const next = (await browser.get(String(replaced.location))) as FlowAnswer
  assert.equal(nodeOf(next, 'method')?.value, 'code')
})

test("an operator's link signs in once, until it expires", async () => {
  const { identity, identity_id } = await helped(BY_LINK)
  const wanted = { identity_id, expires_in: '2h' }
  const made = await identity.admin('POST', '/admin/recovery/link', wanted)
  assert.equal(made.status, 200)
  identity.advance(2 * 3_600_000 - 1000)
  const browser = identity.browser()
  assert.equal(letsIn(await browser.navigate(made.body.recovery_link)), true)
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, false)
  assert.equal(letsIn(await identity.browser().navigate(made.body.recovery_link)), false)
  const late = await identity.admin('POST', '/admin/recovery/link', wanted)
  identity.advance(2 * 3_600_000)
  assert.equal(letsIn(await identity.browser().navigate(late.body.recovery_link)), false)
})

test("SEC-05 an operator's code and link last at most a day", async () => {
  const { identity, identity_id } = await helped(BY_LINK)
  for (const method of ['code', 'link']) {
    const wanted = { identity_id, expires_in: '87600h' }
    const { expires_at } = (await identity.admin('POST', `/admin/recovery/${method}`, wanted)).body
    assert.ok(Date.parse(expires_at) - identity.now().getTime() <= 24 * 3_600_000)
  }
})

test('SEC-05 a recovery or a new password ends the other codes and links of the account', async () => {
  const { identity, identity_id } = await helped(BY_LINK)
  const make = async (method: string) =>
    (await identity.admin('POST', `/admin/recovery/${method}`, { identity_id })).body
  const enter = async ({ recovery_link, recovery_code: code }: Awaited<ReturnType<typeof make>>) => {
    const path = `/self-service/recovery${new URL(recovery_link).search}`
    return letsIn(await identity.browser().send('POST', path, { method: 'code', code }, {}))
  }
  const earlier = [await make('code'), await make('link'), await make('link')]
  const browser = identity.browser()
  assert.equal(letsIn(await browser.navigate(earlier[2].recovery_link)), true)
  assert.equal(await enter(earlier[0]), false)
  assert.equal(letsIn(await identity.browser().navigate(earlier[1].recovery_link)), false)
  const later = [await make('code'), await make('code')]
  const password = 'a new password of the owner'
  const saved = await browser.submit(await browser.open('settings'), { method: 'password', password })
  assert.equal(saved.status, 200)
  assert.equal(await enter(later[0]), false)
  assert.equal(await enter(await make('code')), true)
})

test('an operator may set the return address', async () => {
  const { identity, identity_id } = await helped(BY_LINK)
  const query = (to: string) => `?return_to=${encodeURIComponent(to)}`
  const wanted = { identity_id }
  const foreign = await identity.admin(
    'POST',
    `/admin/recovery/link${query('https://evil.example/')}`,
    wanted,
  )
  assert.equal(foreign.status, 400)
  const made = await identity.admin('POST', `/admin/recovery/link${query('http://app.test/after')}`, wanted)
  const browser = identity.browser()
  const opened = await browser.navigate(made.body.recovery_link)
  const id = new URL(opened.location ?? '').searchParams.get('flow')
  const settings = await browser.get(`/self-service/settings/flows?id=${id}`)
  assert.equal(settings.body.return_to, 'http://app.test/after')
})

test("explains an operator's invalid request", async () => {
  const { identity, identity_id } = await helped()
  const unknown = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
  const asked: [string, object, number][] = [
    ['code', { identity_id: unknown }, 404],
    ['code', {}, 404],
    ['code', { identity_id: 'abc' }, 400],
    ['code', { identity_id, expires_in: 'soon' }, 400],
    ['code', { identity_id, expires_in: '-1h' }, 400],
    ['code', { identity_id, expires_in: '0s' }, 400],
    ['code', { identity_id, flow_type: 'fax' }, 400],
    ['link', { identity_id }, 404],
  ]
  for (const [method, body, status] of asked) {
    const { status: got } = await identity.admin('POST', `/admin/recovery/${method}`, body)
    assert.equal(got, status, JSON.stringify(body))
  }
})

async function helped(
  overrides: Parameters<typeof createTestIdentity>[0] = {},
): Promise<{ identity: TestIdentity; identity_id: string }> {
  const identity = await createTestIdentity(overrides)
  const made = await identity.admin('POST', '/admin/identities', { traits: { email: ADA } })
  return { identity, identity_id: made.body.id }
}

function flowUrl(link: string): string {
  return `/self-service/recovery/flows?id=${new URL(link).searchParams.get('flow')}`
}
