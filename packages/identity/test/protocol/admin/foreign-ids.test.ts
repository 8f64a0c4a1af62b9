import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, secretIn, tokenOf } from '../../../src/testing/answers.ts'
import { type App, type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const KINDS = ['login', 'registration', 'recovery', 'verification', 'settings'] as const

type Caller = Browser | App

test("SEC-21 another user's id in a path is like an unknown one", async () => {
  const { identity, ids, eves, ada } = await withTwo()
  const routes = identity.publicApp.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.includes(':'),
  )
  assert.ok(routes.some(({ path }) => path === '/sessions/:id'))
  for (const { method, path } of routes) {
    for (const eve of eves) {
      for (const id of ids) {
        const [theirs, unknown] = [await ask(eve, method, path, id), await ask(eve, method, path, UNKNOWN_ID)]
        assert.deepEqual(seen(theirs, id), seen(unknown, UNKNOWN_ID), `${method} ${path} with ${id}`)
      }
    }
  }
  assert.equal((await ada.whoami()).status, 200)
  assert.equal((await ada.get('/sessions')).body.length, 1)
})

for (const kind of KINDS) {
  test(`SEC-21 another user's ${kind} form reveals and changes nothing`, async () => {
    const { identity, ada, eves } = await withTwo()
    const form = await beginning(identity, ada, kind)
    const before = JSON.stringify((await form.reader.get(form.path)).body)
    for (const eve of [...eves, identity.browser()]) {
      const csrf_token = tokenOf(await ownForm(eve))
      const answers = [
        await eve.send('GET', form.path, undefined, {}),
        await eve.send('GET', `/self-service/${kind}?flow=${form.id}`, undefined, {}),
        await eve.send('POST', `/self-service/${kind}?flow=${form.id}`, { ...VALUES[kind], csrf_token }, {}),
        await eve.send('POST', `/self-service/${kind}?flow=${form.id}`, { ...VALUES[kind] }, {}),
      ]
      for (const answer of answers) {
        assert.ok(answer.status >= 300 && answer.status < 500, `${answer.status}`)
        assert.equal(JSON.stringify(answer.body).includes(ADA), false)
        for (const secret of form.secrets) assert.equal(JSON.stringify(answer.body).includes(secret), false)
      }
    }
    const after = JSON.stringify((await form.reader.get(form.path)).body)
    assert.equal(withoutTokens(after), withoutTokens(before))
  })
}

const VALUES = {
  login: { method: 'password', identifier: EVE, password: PASSWORD },
  registration: { method: 'password', password: PASSWORD, traits: { email: 'eves@example.com' } },
  recovery: { method: 'code', email: EVE },
  verification: { method: 'code', email: EVE },
  settings: { method: 'profile', traits: { email: 'eves@example.com' } },
}

async function beginning(identity: TestIdentity, ada: Browser, kind: (typeof KINDS)[number]) {
  const visitor = identity.browser()
  const isSignedIn = kind === 'settings' || kind === 'verification'
  const reader = isSignedIn ? ada : visitor
  const flow: FlowAnswer = await reader.open(kind)
  const typed = {
    login: { method: 'password', identifier: ADA, password: 'not this one' },
    registration: { method: 'password', traits: { email: ADA } },
    recovery: { method: 'code', email: ADA },
    verification: { method: 'code', email: ADA },
    settings: { method: 'profile', traits: { email: ADA, name: 'x'.repeat(101) } },
  }[kind]
  await reader.submit(flow, typed)
  const path = `/self-service/${kind}/flows?id=${flow.body.id}`
  return {
    id: flow.body.id,
    path,
    reader,
    secrets: kind === 'settings' ? [secretIn(flow)] : [String(tokenOf(flow))],
  }
}

/** For the attacker's token. */
async function ownForm(caller: Caller): Promise<FlowAnswer> {
  return await caller.open('verification')
}

async function withTwo() {
  const identity = await createTestIdentity(SECOND_FACTORS)
  for (const email of [ADA, EVE]) await identity.user(email)
  const [ada, adas, eve, app] = [identity.browser(), identity.app(), identity.browser(), identity.app()]
  const { session } = (await ada.signIn(ADA)).body
  const other = (await adas.signIn(ADA)).body.session
  for (const one of [eve, app]) await one.signIn(EVE)
  const mails = await identity.admin('GET', '/admin/courier/messages')
  const flow = await ada.open('settings')
  const devices = [session, other].flatMap(({ devices: list }) => list.map(({ id }: { id: string }) => id))
  const messages = mails.body.map(({ id }: { id: string }) => id)
  const ids: string[] = [session.id, other.id, session.identity.id, flow.body.id, ...devices, ...messages]
  return { identity, ada, eves: [eve, app], ids }
}

function ask(caller: Caller, method: string, path: string, id: string): Promise<Answer> {
  return caller.send(method, path.replace(/:\w+/, id), undefined, {})
}

function seen({ status, body, location, headers }: Answer, id: string): unknown {
  return JSON.parse(
    JSON.stringify([status, body, location ?? '', headers.getSetCookie().length]).replaceAll(id, 'id'),
  )
}

function withoutTokens(text: string): string {
  return text.replace(/[A-Za-z0-9+/]{86}==/g, 'token').replace(/"updated_at":"[^"]+"/g, '')
}
