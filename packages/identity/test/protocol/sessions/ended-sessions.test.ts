import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, nodeOf } from '../../../src/testing/answers.ts'
import { Authenticator, RP } from '../../../src/testing/authenticator.ts'
import { type App, type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { addBackupCodes, addTotp, codeOf, SECOND_FACTORS, STEP_MS } from '../../kit/factors.ts'
import { cookieHeld, statusesOf, TOKENIZER, tokenHeld } from '../../kit/held-credentials.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { add } from '../../kit/passkeys.ts'

const NEW_PASSWORD = 'battery staple 7 horse'
const REVOKE = { hooks: [{ hook: 'revoke_active_sessions' }] }

const CONFIG = {
  ...TOKENIZER,
  selfservice: {
    methods: { ...SECOND_FACTORS.selfservice.methods, passkey: { enabled: true, config: { rp: RP } } },
    flows: {
      settings: {
        after: { password: REVOKE, totp: REVOKE, lookup_secret: REVOKE, passkey: REVOKE },
        ui_url: 'http://app.test/settings',
      },
      recovery: { after: REVOKE },
    },
  },
}

interface Scene {
  readonly identity: TestIdentity
  readonly email: string
  readonly id: string
  readonly here: Browser
  readonly tablet: Browser
  readonly phone: App
}

type Place = 'here' | 'tablet' | 'phone'

interface Event {
  prepare?(scene: Scene): Promise<unknown>
  run(scene: Scene): Promise<unknown>
  readonly ends: readonly Place[]
}

const EVENTS: Record<string, Event> = {
  'signing out': { run: ({ here }) => signOut(here), ends: ['here'] },
  'signing out of an app': {
    run: ({ phone }) => phone.send('DELETE', '/self-service/logout/api', { session_token: phone.token }),
    ends: ['phone'],
  },
  'ending one session': {
    run: async ({ here, phone }) => {
      const { id } = (await phone.send('GET', '/sessions/whoami')).body
      return await here.delete(`/sessions/${id}`)
    },
    ends: ['phone'],
  },
  'ending all others': { run: ({ here }) => here.delete('/sessions'), ends: ['tablet', 'phone'] },
  'a new password': {
    run: ({ here }) => save(here, { method: 'password', password: NEW_PASSWORD }),
    ends: ['tablet', 'phone'],
  },
  'a recovery': {
    run: async ({ identity, email }) => {
      const browser = identity.browser()
      const form = await browser.submit(await browser.open('recovery'), { method: 'code', email })
      const done = await browser.submit(form, { method: 'code', code: await identity.code(email) })
      assert.equal((await browser.whoami()).status, 200)
      return done
    },
    ends: ['here', 'tablet', 'phone'],
  },
  'a second factor': {
    run: ({ identity, here }) => addTotp(identity, here),
    ends: ['tablet', 'phone'],
  },
  'removing the second factor': {
    prepare: async (scene) => {
      const { identity } = scene
      const secret = await addTotp(identity, scene.here)
      await signInAgain(scene, () => {
        identity.advance(STEP_MS)
        return { method: 'totp', totp_code: codeOf(identity, secret) }
      })
    },
    run: ({ here }) => save(here, { method: 'totp', totp_unlink: true }),
    ends: ['tablet', 'phone'],
  },
  'backup codes': { run: ({ here }) => addBackupCodes(here), ends: ['tablet', 'phone'] },
  'disabling backup codes': {
    prepare: async (scene) => {
      const codes = await addBackupCodes(scene.here)
      await signInAgain(scene, () => ({ method: 'lookup_secret', lookup_secret: codes.pop() }))
    },
    run: ({ here }) => save(here, { method: 'lookup_secret', lookup_secret_disable: true }),
    ends: ['tablet', 'phone'],
  },
  'a passkey': { run: ({ here }) => add(here, new Authenticator()), ends: ['tablet', 'phone'] },
  'removing a passkey': {
    prepare: async (scene) => {
      await add(scene.here, new Authenticator())
      await signInAgain(scene)
    },
    run: async ({ here }) => {
      const form = await here.open('settings')
      return await here.submit(form, { passkey_remove: nodeOf(form, 'passkey_remove')?.value })
    },
    ends: ['tablet', 'phone'],
  },
  'a deactivated account': {
    run: ({ identity, id }) => setState(identity, id, 'inactive'),
    ends: ['here', 'tablet', 'phone'],
  },
  'a removed account': {
    run: ({ identity, id }) => identity.admin('DELETE', `/admin/identities/${id}`),
    ends: ['here', 'tablet', 'phone'],
  },
  'an operator who ends every session': {
    run: ({ identity, id }) => identity.admin('DELETE', `/admin/identities/${id}/sessions`),
    ends: ['here', 'tablet', 'phone'],
  },
  'an operator who ends one': {
    run: async ({ identity, phone }) => {
      const { id } = (await phone.send('GET', '/sessions/whoami')).body
      return await identity.admin('DELETE', `/admin/sessions/${id}`)
    },
    ends: ['phone'],
  },
  'a new address': {
    run: ({ here, email }) => save(here, { method: 'profile', traits: { email: `new-${email}` } }),
    ends: [],
  },
}

test('SEC-16 SEC-18 revoking a session ends its cookie and token at once', async () => {
  const identity = await createTestIdentity(CONFIG)
  for (const [name, { prepare, run, ends }] of Object.entries(EVENTS)) {
    const scene = await signedInThrice(identity, `${name.replaceAll(' ', '-')}@example.com`)
    await prepare?.(scene)
    const held = heldBy(scene)
    for (const one of Object.values(held)) assert.deepEqual(await statusesOf(identity, one), [200], name)
    await run(scene)
    const holds = heldBy(scene)
    for (const place of ['here', 'tablet', 'phone'] as const) {
      const ended = ends.includes(place)
      const statuses = await statusesOf(identity, ended ? held[place] : holds[place])
      assert.deepEqual(statuses, [ended ? 401 : 200], `${name}: ${place}`)
    }
  }
})

test('SEC-16 an old address cannot sign in or verify', async () => {
  const identity = await createTestIdentity(CONFIG)
  const scene = await signedInThrice(identity, 'ada@example.com')
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: scene.email })
  const code = await identity.code(scene.email)
  await save(scene.here, { method: 'profile', traits: { email: 'new@example.com' } })
  const refused = await browser.submit(form, { method: 'code', code })
  assert.equal(refused.body.state, 'sent_email')
  assert.equal((await browser.whoami()).status, 401)
  assert.equal((await identity.app().signIn(scene.email)).status, 400)
  assert.equal((await identity.app().signIn('new@example.com')).status, 200)
})

async function signedInThrice(identity: TestIdentity, email: string): Promise<Scene> {
  await identity.user(email)
  const [here, tablet, phone] = [identity.browser(), identity.browser(), identity.app()]
  const { session } = (await here.signIn(email)).body
  await tablet.signIn(email)
  await phone.signIn(email)
  return { identity, email, id: session.identity.id, here, tablet, phone }
}

function heldBy({ here, tablet, phone }: Scene) {
  return { here: cookieHeld(here), tablet: cookieHeld(tablet), phone: tokenHeld(phone) }
}

async function save(browser: Browser, values: object): Promise<FlowAnswer> {
  const saved = await browser.submit(await browser.open('settings'), values)
  assert.equal(saved.status, 200)
  return saved
}

async function signOut(browser: Browser): Promise<Answer> {
  return await browser.navigate((await browser.get('/self-service/logout/browser')).body.logout_url)
}

async function signInAgain({ email, tablet, phone }: Scene, proof?: () => object): Promise<void> {
  tablet.cookies.clear()
  phone.token = undefined
  for (const caller of [tablet, phone]) {
    await caller.signIn(email, PASSWORD)
    if (!proof) continue
    const done = await caller.submit(await caller.open('login', '?aal=aal2'), proof())
    assert.equal(done.status, 200)
  }
}

async function setState(identity: TestIdentity, id: string, value: string): Promise<void> {
  const op = [{ op: 'replace', path: '/state', value }]
  assert.equal((await identity.admin('PATCH', `/admin/identities/${id}`, op)).status, 200)
}
