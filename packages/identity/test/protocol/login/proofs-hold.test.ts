// A proof must still hold when its session is stored (SEC-94). Every way to sign in is interrupted by a web hook,
// which runs between the two, and every change of the account happens meanwhile, at another replica.
import assert from 'node:assert/strict'
import { allStrategies } from '../../../src/strategies/all.ts'
import { type Answer, nodeOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { few } from '../../input/sample.ts'
import { newDsn, test } from '../../kit/databases.ts'
import { ADA } from '../../kit/factors.ts'
import { createTestIdentity, type Merge, merge, type TestIdentity } from '../../kit/kit.ts'
import { EVE, letsIn } from '../../kit/recovery-kit.ts'
import type { House, Way } from '../../kit/sign-in-methods.ts'
import {
  BROWSER_FIRST_FACTORS,
  configWith,
  FIRST_FACTORS,
  openHouse,
  RECOVERY_WAYS,
  SECOND_WAYS,
} from '../../kit/sign-in-methods.ts'

interface Scene extends Pick<House, 'id'> {
  readonly email: string
  /** Another replica, where the account is changed. */
  readonly other: TestIdentity
  readonly owner?: Browser
}

type Change = (scene: Scene) => Promise<Answer>

interface Method {
  readonly way: Way
  /** Takes away what was proven. */
  readonly lose: Change
  readonly aal?: 'aal2'
}

const HOOK = 'http://hook.test/after'
const FORMER = 'http://former.test/check'

const FIRST: Record<string, Method> = {
  'a password': { way: wayOf('a password'), lose: newPassword },
  'a former password': {
    way: async ({ identity, id }) => {
      const credentials = { password: { config: { use_password_migration_hook: true } } }
      await identity.admin('PUT', `/admin/identities/${id}`, { traits: { email: ADA }, credentials })
      return async (browser) => {
        const form = await browser.open('login')
        return () => browser.submit(form, { method: 'password', identifier: ADA, password: 'the old one' })
      }
    },
    lose: newPassword,
  },
  'an emailed code': {
    way: wayOf('an emailed code'),
    lose: (scene) => put(scene, { traits: { email: EVE } }),
  },
  'a passkey': { way: wayOf('a passkey'), lose: removeKey('passkey') },
  'a provider': { way: wayOf('a provider'), lose: removal('oidc?identifier=acme:ada-1') },
  'a security key': { way: wayOf('a security key'), lose: removeKey('webauthn') },
}

const SECOND: Record<string, Method> = {
  'an authenticator app': { way: wayOf('an authenticator app'), lose: removal('totp'), aal: 'aal2' },
  'a backup code': { way: wayOf('a backup code'), lose: removal('lookup_secret'), aal: 'aal2' },
  'a second security key': { way: wayOf('a second security key'), lose: removal('webauthn'), aal: 'aal2' },
  'a second code': { way: wayOf('a second code'), lose: newAddress, aal: 'aal2' },
}

const RECOVERIES: Record<string, Method> = {
  'a recovery code': { way: wayOf('a recovery code'), lose: newAddress },
  'a link of an operator': { way: wayOf('a link of an operator'), lose: recover },
}

/** By an operator, or by the owner elsewhere. */
const CHANGES: Record<string, Change> = {
  'the account is disabled': (scene) => put(scene, { state: 'inactive' }),
  'the account is deleted': ({ other, id }) => other.admin('DELETE', `/admin/identities/${id}`),
  'the owner recovers the account': recover,
}

/** A recovery survives these. */
const OTHER_CHANGES: Record<string, Change> = {
  'the account is disabled for a moment': async (scene) => {
    await put(scene, { state: 'inactive' })
    return await put(scene, {})
  },
  'the account gets another schema': (scene) => put(scene, { schema_id: 'other' }),
  'an operator ends all sessions': ({ other, id }) =>
    other.admin('DELETE', `/admin/identities/${id}/sessions`),
  'the owner asks for the deletion': async ({ other, id }) => {
    const sessions = await other.admin('GET', `/admin/identities/${id}/sessions`)
    const oldest = sessions.body.at(-1)
    assert.equal((await other.account.requestDeletion(oldest.id)).kind, 'scheduled')
    return sessions
  },
}

const SIGN_INS = { ...FIRST, ...SECOND }
const ALL = { ...SIGN_INS, ...RECOVERIES }

test('SEC-94 the tables below have every way to sign in', async () => {
  const proven = new Set<string>()
  for (const name of Object.keys(SIGN_INS)) {
    const { id, browser, finish } = await begin(name)
    await finish()
    const { body } = await browser.whoami()
    assert.equal(body.identity?.id, id, name)
    for (const { method } of body.authentication_methods) proven.add(method)
  }
  const signingIn = allStrategies.filter(({ id, steps }) => steps.login && id !== 'identifier_first')
  assert.deepEqual([...proven].sort(), signingIn.map(({ id }) => id).sort())
})

for (const [name, { lose }] of Object.entries(ALL)) {
  test(`SEC-94 ${name} opens no session once it is lost`, () => assertRefused(name, lose))
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`SEC-94 nothing opens a session once ${name}`, () => assertAllRefused(name, ALL, change))
}

for (const [name, change] of Object.entries(OTHER_CHANGES)) {
  test(`SEC-94 no sign-in finishes once ${name}`, () => assertAllRefused(name, SIGN_INS, change))
}

for (const [name, change] of Object.entries(CHANGES).slice(0, 2)) {
  test(`SEC-94 a registration opens no session once ${name}`, async () => {
    const { identity, other, meanwhile } = await begin('a password')
    const browser = identity.browser()
    const form = await browser.open('registration')
    meanwhile.run = async () => {
      const found = await other.admin('GET', `/admin/identities?credentials_identifier=${EVE}`)
      await change({ other, id: found.body[0].id, email: EVE })
    }
    const answer = await browser.submit(form, {
      method: 'password',
      password: PASSWORD,
      traits: { email: EVE },
    })
    assert.deepEqual([answer.status < 500, letsIn(answer)], [true, false])
    assert.equal((await browser.whoami()).status, 401)
  })
}

async function assertAllRefused(what: string, methods: Record<string, Method>, change: Change) {
  for (const name of few(what, Object.keys(methods), 5)) await assertRefused(name, change)
}

async function assertRefused(name: string, change: Change): Promise<void> {
  const scene = await begin(name)
  const { browser, meanwhile } = scene
  let changed: Answer | undefined
  meanwhile.run = async () => {
    changed = await change(scene)
  }
  const answer = await scene.finish()
  assert.ok(changed && changed.status < 500, `${name}: the account was changed`)
  assert.deepEqual(
    [answer.status < 500, letsIn(answer)],
    [true, false],
    `${name}: ${JSON.stringify(answer.body)}`,
  )
  const { body } = await browser.whoami()
  const methods: readonly { method: string }[] = body.authentication_methods ?? []
  assert.deepEqual(
    methods.map(({ method }) => method),
    scene.before.filter(() => methods.length > 0),
    name,
  )
}

/** Up to the last request, whose web hook runs `meanwhile`. */
async function begin(name: string) {
  const meanwhile: { run?: (() => Promise<void>) | undefined } = {}
  const answering =
    (next: typeof fetch): typeof fetch =>
    async (input, init) => {
      const url = String(input)
      if (url === FORMER) return Response.json({ status: 'password_match' })
      if (url !== HOOK) return await next(input, init)
      const { run } = meanwhile
      meanwhile.run = undefined
      await run?.()
      return Response.json({})
    }
  const overrides = configOf(name, await newDsn({ shared: true }))
  const house = await openHouse(name, { overrides, answering })
  const { identity } = house
  const method = ALL[name]
  assert.ok(method)
  const start = await method.way(house)
  const browser = identity.browser()
  if (method.aal) await browser.signIn(ADA)
  const before = method.aal ? ['password'] : []
  const finish = await start(browser)
  const other = await createTestIdentity(merge(configWith([]), overrides), { fetch: answering(fetch) })
  other.advance(identity.now().getTime() - other.now().getTime() + 1000)
  return { ...house, other, email: ADA, browser, before, finish, meanwhile }
}

function configOf(name: string, dsn: string): Merge {
  const hooks = [{ hook: 'web_hook', config: { url: HOOK, method: 'POST', body: () => ({}) } }]
  const schema = configWith([]).identity.schemas[0]?.schema
  const isSecondKey = name === 'a second security key'
  const isSecondCode = name === 'a second code'
  return {
    dsn,
    identity: {
      schemas: [
        { id: 'default', schema },
        { id: 'other', schema },
      ],
    },
    selfservice: {
      methods: {
        password: { config: { migrate_hook: { enabled: true, config: { url: FORMER } } } },
        code: { passwordless_enabled: !isSecondCode, mfa_enabled: isSecondCode },
        webauthn: { config: { passwordless: !isSecondKey } },
      },
      flows: {
        login: { after: { hooks } },
        recovery: { after: { hooks } },
        registration: { after: { password: { hooks: [...hooks, { hook: 'session' }] } } },
        // The owner of an account with a second factor asks for the deletion with the first.
        settings: { required_aal: 'aal1' },
      },
    },
  }
}

function wayOf(name: string): Way {
  const way = { ...FIRST_FACTORS, ...BROWSER_FIRST_FACTORS, ...SECOND_WAYS, ...RECOVERY_WAYS }[name]
  assert.ok(way)
  return way
}

async function put({ other, id, email }: Scene, change: object): Promise<Answer> {
  const account = { schema_id: 'default', traits: { email }, state: 'active', ...change }
  const answer = await other.admin('PUT', `/admin/identities/${id}`, account)
  assert.equal(answer.status, 200)
  return answer
}

function newAddress(scene: Scene): Promise<Answer> {
  return put(scene, { traits: { email: EVE } })
}

function newPassword(scene: Scene): Promise<Answer> {
  return put(scene, { credentials: { password: { config: { password: 'battery staple 7 horse' } } } })
}

function removal(path: string): Change {
  return async ({ other, id }) => {
    const answer = await other.admin('DELETE', `/admin/identities/${id}/credentials/${path}`)
    assert.equal(answer.status, 204)
    return answer
  }
}

async function recover({ other, email }: Scene): Promise<Answer> {
  const browser = other.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email })
  const answer = await browser.submit(form, { method: 'code', code: await other.code(email) })
  assert.equal(letsIn(answer), true)
  return answer
}

/** Operators cannot remove a first factor. */
function removeKey(type: 'passkey' | 'webauthn'): Change {
  return async ({ owner }) => {
    assert.ok(owner)
    const form = await owner.open('settings')
    const answer = await owner.submit(form, { [`${type}_remove`]: nodeOf(form, `${type}_remove`)?.value })
    assert.equal(answer.status, 200)
    return answer
  }
}
