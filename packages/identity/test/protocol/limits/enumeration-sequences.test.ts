import assert from 'node:assert/strict'
import { type Answer, messageIds, verificationIn } from '../../../src/testing/answers.ts'
import type { App } from '../../../src/testing/clients.ts'
import { few } from '../../input/sample.ts'
import { test } from '../../kit/databases.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity, merge, SHARED_LIMITS, userSchema, VERIFIED_ONLY } from '../../kit/kit.ts'

const WRITER = 'writer@example.com'
const PLANTED = 'planted horse 5 battery'
const FEW = { account: { burst: 3, refill: '1h' } }
/** Above the allowance in `FEW`. */
const TIMES = 5

type Action = (app: App, email: string) => Promise<unknown>

const ACTIONS: Record<string, Action> = {
  'wrong passwords': repeated((app, email) => app.signIn(email, 'not this one')),
  'sign-ins with the registered password': repeated((app, email) => app.signIn(email, PLANTED)),
  registrations: repeated((app, email) => app.register(email, PLANTED)),
  'codes to sign in': repeated(async (app, identifier) =>
    app.submit(await app.open('login'), { method: 'code', identifier }),
  ),
  'codes to register': repeated(async (app, email) =>
    app.submit(await app.open('registration'), { method: 'code', traits: { email } }),
  ),
  'codes to recover': repeated(async (app, email) =>
    app.submit(await app.open('recovery'), { method: 'code', email }),
  ),
  'codes to verify': repeated(async (app, email) =>
    app.submit(await app.open('verification'), { method: 'code', email }),
  ),
  'wrong codes of recoveries': async (app, email) => {
    const form = await app.submit(await app.open('recovery'), { method: 'code', email })
    if (form.status === 429) return 429
    return await repeated(() => app.submit(form, { method: 'code', code: 'abcdef' }))(app, email)
  },
  'new codes for the form of a registration': async (app, email) => {
    const registered = await app.register(email, PLANTED)
    const id = verificationIn(registered)?.id
    if (id === undefined) return registered.status
    const form = await app.send('GET', `/self-service/verification/flows?id=${id}`)
    return await repeated(() => app.submit(form, { method: 'code', email }))(app, email)
  },
  'changes of address': async (app, email) => {
    await app.signIn(WRITER)
    return await repeated(async () =>
      app.submit(await app.open('settings'), { method: 'profile', traits: { email } }),
    )(app, email)
  },
}

const BETWEEN: Record<string, (identity: TestIdentity, email: string) => Promise<unknown>> = {
  '': async () => {},
  ' and a registration': async (identity, email) => (await identity.app().register(email, PLANTED)).status,
  ' and the end of the account': async ({ admin }, email) => {
    const { body } = await admin('GET', `/admin/identities?credentials_identifier=${email}`)
    for (const { id } of body) await admin('DELETE', `/admin/identities/${id}`)
  },
}

for (const [first, act] of Object.entries(ACTIONS)) {
  for (const [happened, happen] of Object.entries(BETWEEN)) {
    test(`SEC-81 SEC-82 SEC-13 after ${first + happened} all forms treat taken and free addresses alike`, async () => {
      const identity = await town()
      for (const [second, observe] of few(first + happened, Object.entries(ACTIONS), 1)) {
        const seen = []
        for (const email of await addresses(identity)) {
          const before = await act(identity.app(), email)
          const between = await happen(identity, email)
          seen.push({ before, between, after: await observe(identity.app(), email) })
        }
        for (const one of seen) assert.deepEqual(one, seen[0], second)
      }
    })
  }
}

test('SEC-81 registering and proving an address renews no guesses', async () => {
  const identity = await town()
  const email = 'new@example.com'
  const guess = async () => (await identity.app().signIn(email, 'not this one')).status
  assert.deepEqual([await guess(), await guess(), await guess(), await guess()], [400, 400, 400, 429])
  const app = identity.app()
  const id = verificationIn(await app.register(email))?.id
  assert.equal(await guess(), 429)
  const form = await app.send('GET', `/self-service/verification/flows?id=${id}`)
  const proven = await app.submit(form, { method: 'code', code: await identity.code(email) })
  assert.equal(proven.body.state, 'passed_challenge')
  assert.equal(await guess(), 429)
})

test("SEC-45 a proven account's identifiers share its password guesses", async () => {
  const identity = await town()
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'ada@example.com', name: 'ada' },
    credentials: { password: { config: { password: PLANTED } } },
    verifiable_addresses: [{ value: 'ada@example.com', via: 'email', verified: true, status: 'completed' }],
  })
  assert.equal(made.status, 201)
  const guess = async (identifier: string) => (await identity.app().signIn(identifier, 'wrong')).status
  assert.deepEqual([await guess('ada@example.com'), await guess('ada'), await guess('ada')], [400, 400, 400])
  assert.deepEqual([await guess('ada@example.com'), await guess('ada')], [429, 429])
})

let towns = 0

test('SEC-14 the times in the answer to a registration measure no work', async () => {
  const identity = await town()
  for (const email of ['free@example.com', WRITER]) {
    const app = identity.app()
    const registered = await app.register(email, PLANTED)
    const { created_at, updated_at, state_changed_at, verifiable_addresses } = registered.body.identity
    const [address] = verifiable_addresses
    const id = verificationIn(registered)?.id
    const { body: verification } = await app.send('GET', `/self-service/verification/flows?id=${id}`)
    const times = [created_at, updated_at, state_changed_at, address.created_at, address.updated_at]
    assert.deepEqual([...new Set([...times, verification.issued_at])], [created_at], email)
  }
})

async function addresses(identity: TestIdentity): Promise<string[]> {
  towns += 1
  const [free, taken, unproven] = ['free', 'held', 'open'].map((kind) => `${kind}${towns}@example.com`)
  await identity.user(taken!)
  await identity.admin('POST', '/admin/identities', {
    traits: { email: unproven },
    credentials: { password: { config: { password: 'the word of 1 operator' } } },
  })
  return [free!, taken!, unproven!]
}

function repeated(submit: (app: App, email: string) => Promise<Answer>): Action {
  return async (app, email) => {
    const seen = []
    for (let times = 0; times < TIMES; times += 1) {
      const answer = await submit(app, email)
      seen.push([answer.status, answer.body?.state, messageIds(answer)])
    }
    return seen
  }
}

/** The product's, with sign-in by code, small limits and names as identifiers. */
async function town(): Promise<TestIdentity> {
  const schema = structuredClone(userSchema)
  const name = { type: 'string', 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
  Object.assign(schema.properties.traits.properties, { name })
  const identity = await createTestIdentity(
    merge(merge(VERIFIED_ONLY, { limits: SHARED_LIMITS }), {
      identity: { schemas: [{ id: 'default', schema }] },
      security: { account_enumeration: { mitigate: true } },
      selfservice: {
        methods: { code: { passwordless_enabled: true } },
        flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } },
      },
      limits: { password: FEW, mail: FEW, registration: FEW, code: FEW },
    }),
  )
  await identity.user(WRITER)
  return identity
}
