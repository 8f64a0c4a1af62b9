import assert from 'node:assert/strict'
import { EVENTS } from '../../../src/events/record.ts'
import type { StoredEvent } from '../../../src/storage/events.ts'
import { JSON_BODY } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, withAda } from '../../kit/factors.ts'
import { createTestIdentity, PUBLIC, type TestIdentity } from '../../kit/kit.ts'
import { BY_LINK } from '../../kit/recovery-kit.ts'
import { until } from '../../kit/until.ts'

const PREFIX = 'security event '
const FIELDS = ['event', 'outcome', 'identity_id', 'client_address', 'method', 'aal', 'request_id']

test('logs a line per sign-in, failure and sign-out', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const id = await idOf(identity, ADA)
  const browser = identity.browser()
  await browser.signIn(ADA, 'not her password')
  await browser.signIn('unknown@example.com')
  await browser.signIn(ADA)
  const { logout_token } = (await browser.get('/self-service/logout/browser')).body
  await browser.get(`/self-service/logout?token=${logout_token}`)
  assert.deepEqual(
    summary(identity, ({ event }) => event !== 'admin_call'),
    [
      ['sign_in', 'refused', id, 'password', null],
      ['sign_in', 'refused', null, 'password', null],
      ['sign_in', 'ok', id, 'password', 'aal1'],
      ['session_ended', 'ok', id, null, null],
    ],
  )
})

test('every line has the same fields', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const socket = { remoteAddress: '203.0.113.9', remotePort: 4711 }
  const outgoing = { getHeader: (name: string) => (name === 'x-request-id' ? 'the-request' : undefined) }
  const server = { incoming: { socket }, outgoing }
  const opened = await identity.publicApp.request(`${PUBLIC}/self-service/login/api`, {}, server)
  const { ui } = (await opened.json()) as { ui: { action: string } }
  const body = JSON.stringify({ method: 'password', identifier: ADA, password: PASSWORD })
  const init = { method: 'POST', headers: { ...JSON_BODY, 'user-agent': 'Tests/1' }, body }
  const signedIn = await identity.publicApp.request(ui.action, init, server)
  assert.equal(signedIn.status, 200)
  const lines = linesOf(identity)
  for (const line of lines) {
    assert.deepEqual(
      Object.keys(line).filter((name) => name !== 'detail'),
      FIELDS,
    )
    assert.ok(String(line.event) in EVENTS)
  }
  const { client_address, request_id } = lines.at(-1) ?? {}
  assert.deepEqual([client_address, request_id], ['203.0.113.9', 'the-request'])
  const [stored] = await identity.listEvents(await idOf(identity, ADA), { limit: 1 })
  assert.deepEqual([stored?.client_address, stored?.user_agent], ['203.0.113.9', 'Tests/1'])
  // A product acts for that session.
  const { session } = (await signedIn.json()) as { session: { id: string } }
  await identity.account.cancelDeletion(session.id)
  await identity.account.requestDeletion(session.id)
  const [asked] = await identity.listEvents(await idOf(identity, ADA), { limit: 1 })
  assert.deepEqual([asked?.event, asked?.user_agent], ['deletion_requested', 'Tests/1'])
})

test('events contain no user input, code or token', async () => {
  const { identity, browser } = await withAda()
  await addTotp(identity, browser)
  await identity.browser().signIn(ADA, 'a guess that must not be logged')
  const lines = identity.logged.filter((line) => line.startsWith(PREFIX)).join('\n')
  for (const secret of [ADA, PASSWORD, 'a guess', ...browser.cookies.values()])
    assert.ok(!lines.includes(secret), secret)
})

test('lists second factor changes as activity', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const other = identity.browser()
  await other.signIn(ADA)
  const flow = await other.open('login', '?aal=aal2')
  await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret, 40) })
  await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })
  await browser.submit(await browser.open('settings'), { method: 'totp', totp_unlink: true })
  const seen = (await activity(identity, ADA, 6)).filter(({ method }) => method === 'totp')
  assert.deepEqual(seen.map(({ event, outcome, detail, aal }) => [event, outcome, detail, aal]).reverse(), [
    ['credential_changed', 'ok', 'added', undefined],
    ['sign_in', 'refused', undefined, undefined],
    ['sign_in', 'ok', undefined, 'aal2'],
    ['credential_changed', 'ok', 'removed', undefined],
  ])
})

test('logs a registration, its code and the verification', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const registered = await browser.register(ADA)
  const [{ flow }] = registered.body.continue_with.filter(
    (one: { action: string }) => one.action === 'show_verification_ui',
  )
  const form = await browser.get(`/self-service/verification/flows?id=${flow.id}`)
  await browser.submit(form, { method: 'code', code: '000000' })
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  const id = await idOf(identity, ADA)
  assert.deepEqual(
    summary(identity, ({ event }) => event !== 'admin_call'),
    [
      ['registration', 'ok', id, 'password', null],
      ['code_sent', 'ok', id, 'code', null],
      ['sign_in', 'ok', id, 'password', 'aal1'],
      ['code_guessed', 'refused', id, 'code', null],
      ['address_verified', 'ok', id, null, null],
    ],
  )
})

test('logs admin calls and lists changes as activity', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const id = await idOf(identity, ADA)
  await identity.admin('GET', `/admin/identities/${id}`)
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'replace', path: '/state', value: 'inactive' },
  ])
  await identity.admin('PATCH', `/identities/${id}`, [{ op: 'replace', path: '/id', value: 'x' }])
  await identity.browser().signIn(ADA)
  assert.deepEqual(summary(identity, () => true).slice(2), [
    ['admin_call', 'ok', id, 'GET /identities/:id', null],
    ['admin_call', 'ok', id, 'PATCH /identities/:id', null],
    ['changed_by_operator', 'ok', id, 'PATCH /identities/:id', null],
    ['admin_call', 'refused', id, 'PATCH /identities/:id', null],
    ['sign_in', 'refused', id, 'password', null],
  ])
  const seen = await activity(identity, ADA, 2)
  assert.deepEqual(
    seen.map(({ event, detail }) => [event, detail]),
    [
      ['sign_in', 'inactive'],
      ['changed_by_operator', undefined],
    ],
  )
})

test("lists an operator's recovery as activity", async () => {
  const identity = await createTestIdentity(BY_LINK)
  await identity.user(ADA)
  const identity_id = await idOf(identity, ADA)
  for (const method of ['code', 'link'])
    assert.ok((await identity.admin('POST', `/admin/recovery/${method}`, { identity_id })).status < 300)
  const seen = (await activity(identity, ADA, 2)).map(({ event, method }) => [event, method])
  assert.deepEqual(seen, [
    ['recovery_by_operator', 'link'],
    ['recovery_by_operator', 'code'],
  ])
})

test('a rolled-back change leaves no event', async () => {
  const { identity, browser } = await withAda()
  await identity.user('taken@example.com')
  const flow = await browser.open('settings')
  const before = identity.logged.length
  await browser.submit(flow, { method: 'profile', traits: { email: 'taken@example.com' } })
  assert.deepEqual(
    identity.logged.slice(before).filter((line) => line.startsWith(PREFIX)),
    [],
  )
})

test('pages through the own activity, newest first', async () => {
  const { identity } = await withAda()
  for (let n = 0; n < 4; n += 1) await identity.browser().signIn(ADA)
  const id = await idOf(identity, ADA)
  const all = await identity.listEvents(id, { limit: 100 })
  const times = all.map(({ created_at }) => created_at)
  assert.deepEqual(times, times.toSorted().reverse())
  const first = await identity.listEvents(id, { limit: 2 })
  const second = await identity.listEvents(id, { limit: 2, before: first.at(-1)?.id })
  assert.deepEqual([...first, ...second], all.slice(0, 4))
  await identity.user('eve@example.com')
  const eve = await idOf(identity, 'eve@example.com')
  assert.deepEqual(await identity.listEvents(eve, { limit: 2, before: first[0]?.id }), [])
})

test('repeated failures do not fill the disk', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  for (let n = 0; n < 5; n += 1) await browser.signIn(ADA, `guess ${n}`)
  assert.equal((await activity(identity, ADA, 1)).length, 1)
  identity.advance(61_000)
  await browser.signIn(ADA, 'again')
  assert.equal((await activity(identity, ADA, 2)).length, 2)
})

test('deletes activity with its account', async () => {
  const { identity } = await withAda()
  const id = await idOf(identity, ADA)
  assert.ok((await identity.listEvents(id, { limit: 10 })).length > 0)
  await identity.admin('DELETE', `/admin/identities/${id}`)
  assert.deepEqual(await identity.listEvents(id, { limit: 10 }), [])
})

type Line = Readonly<Record<string, unknown>>

function linesOf(identity: TestIdentity): Line[] {
  return identity.logged
    .filter((line) => line.startsWith(PREFIX))
    .map((line) => JSON.parse(line.slice(PREFIX.length)) as Line)
}

function summary(identity: TestIdentity, wanted: (line: Line) => boolean): unknown[][] {
  return linesOf(identity)
    .filter(wanted)
    .map(({ event, outcome, identity_id, method, aal }) => [event, outcome, identity_id, method, aal])
}

async function activity(identity: TestIdentity, email: string, count: number): Promise<StoredEvent[]> {
  const id = await idOf(identity, email)
  const newest = () => identity.listEvents(id, { limit: 100 })
  await until(async () => (await newest()).length >= count)
  return await newest()
}

async function idOf(identity: TestIdentity, email: string): Promise<string> {
  const { body } = await identity.admin('GET', `/admin/identities?credentials_identifier=${email}`)
  return body[0].id
}
