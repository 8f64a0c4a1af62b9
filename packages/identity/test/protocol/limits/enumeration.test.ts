import assert from 'node:assert/strict'
import { type FlowAnswer, messageIds } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'
import { STRANGERS, type Stranger, shapeOf } from '../../kit/stranger.ts'
import { providerEntry } from '../../servers/oidc-kit.ts'

const USERS = {
  'no account has': 'nobody@example.com',
  'is proven': 'proven@example.com',
  'is not proven': 'unsure@example.com',
  'is deactivated': 'closed@example.com',
  'has a provider only': 'social@example.com',
  'has emailed codes only': 'bycode@example.com',
  'has an imported hash': 'imported@example.com',
}
const WRITER = 'writer@example.com'

interface Variant {
  readonly login?: 'identifier_first'
  readonly registration?: 'profile_first'
  readonly use?: 'code' | 'link'
}

interface Form {
  readonly variant?: Variant
  walk(stranger: Stranger, email: string): Promise<unknown>
}

const FORMS: Record<string, Form> = {
  'a sign-in with a password': {
    walk: async (stranger, identifier) => {
      const values = { method: 'password', identifier, password: 'not this one' }
      await stranger.submit(await stranger.submit(await stranger.open('login'), values), values)
    },
  },
  'a sign-in of two screens': {
    variant: { login: 'identifier_first' },
    walk: async (stranger, identifier) => {
      const named = await stranger.submit(await stranger.open('login'), {
        method: 'identifier_first',
        identifier,
      })
      const values = { method: 'password', identifier, password: 'not this one' }
      await guessLogin(stranger, await stranger.submit(named, values), identifier)
    },
  },
  'a sign-in by code': {
    walk: async (stranger, identifier) => guessLogin(stranger, await stranger.open('login'), identifier),
  },
  'a registration': {
    walk: async (stranger, email) => {
      const form = await register(stranger, email)
      await guess(stranger, form, { method: 'code', email })
    },
  },
  'a registration that a link confirms': {
    variant: { use: 'link' },
    walk: async (stranger, email) => {
      await stranger.submit(await register(stranger, email), { method: 'link', email })
    },
  },
  'a registration of two steps': {
    variant: { registration: 'profile_first' },
    walk: async (stranger, email) => {
      const values = { method: 'profile', traits: { email } }
      const second = await stranger.submit(await stranger.open('registration'), values)
      await stranger.submit(second, { ...values, method: 'password', password: PASSWORD })
    },
  },
  'a registration by code': {
    walk: async (stranger, email) => {
      const values = { method: 'code', traits: { email } }
      const form = await stranger.submit(await stranger.open('registration'), values)
      await guess(stranger, form, { ...values, resend: 'code' }, values)
    },
  },
  ...Object.fromEntries(
    (['recovery', 'verification'] as const).flatMap((kind) => [
      [
        `a ${kind} by code`,
        {
          walk: async (stranger: Stranger, email: string) => {
            const values = { method: 'code', email }
            await guess(stranger, await stranger.submit(await stranger.open(kind), values), values)
          },
        },
      ],
      [
        `a ${kind} by link`,
        {
          variant: { use: 'link' },
          walk: async (stranger: Stranger, email: string) => {
            const values = { method: 'link', email }
            await stranger.submit(await stranger.submit(await stranger.open(kind), values), values)
          },
        },
      ],
    ]),
  ),
}

for (const [form, { variant, walk }] of Object.entries(FORMS)) {
  for (const [client, stranger] of Object.entries(STRANGERS)) {
    test(`SEC-13 ${form} in ${client} does not reveal an account`, async () => {
      const identity = await town(variant)
      const shapes = []
      for (const email of Object.values(USERS)) {
        const one = stranger(identity)
        await walk(one, email)
        shapes.push(one.seen.map((answer) => shapeOf(answer, email)))
      }
      for (const [n, who] of Object.keys(USERS).entries()) assert.deepEqual(shapes[n], shapes[0], who)
      const mailed = (await identity.mails(USERS['no account has'])).length > 0
      assert.equal(mailed, form.startsWith('a registration'))
    })
  }
}

for (const [client, stranger] of Object.entries(STRANGERS)) {
  test(`SEC-13 rejects all taken addresses in ${client} alike`, async () => {
    const identity = await town()
    const { 'no account has': free, ...taken } = USERS
    const shapes = []
    for (const email of [...Object.values(taken), free]) {
      const one = stranger(identity)
      await one.signIn(WRITER)
      const saved = await one.submit(await one.open('settings'), { method: 'profile', traits: { email } })
      assert.deepEqual(messageIds(saved), [email === free ? 1050001 : 4000007])
      shapes.push(one.seen.map((answer) => shapeOf(answer, email)))
    }
    for (const [n, who] of Object.keys(taken).entries()) assert.deepEqual(shapes[n], shapes[0], who)
  })
}

async function register(stranger: Stranger, email: string): Promise<FlowAnswer> {
  const later = '?after_verification_return_to=http%3A%2F%2Fapp.test%2Flater'
  const values = { method: 'password', password: PASSWORD, traits: { email, other: `other-${email}` } }
  const form = await stranger.submit(await stranger.open('registration', later), values)
  assert.equal(form.body.state, 'sent_email')
  return form
}

async function guessLogin(stranger: Stranger, form: FlowAnswer, identifier: string): Promise<void> {
  const values = { method: 'code', identifier }
  await guess(stranger, await stranger.submit(form, values), { ...values, resend: 'code' }, values)
}

async function guess(
  stranger: Stranger,
  form: FlowAnswer,
  again: object,
  values: object = { method: 'code' },
) {
  for (let times = 0; times < 2; times += 1) await stranger.submit(form, { ...values, code: 'abcdef' })
  await stranger.submit(form, again)
  for (let times = 0; times < 4; times += 1) await stranger.submit(form, { ...values, code: 'abcdef' })
}

async function town({ login, registration, use = 'code' }: Variant = {}): Promise<TestIdentity> {
  const acme = providerEntry('acme', { issuer_url: 'https://acme.example' })
  const identity = await createTestIdentity({
    identity: { schemas: [{ id: 'default', schema: withOther() }] },
    security: { account_enumeration: { mitigate: true } },
    selfservice: {
      methods: {
        code: { passwordless_enabled: true },
        link: { enabled: true },
        oidc: { enabled: true, config: { providers: [acme] } },
      },
      flows: {
        login: { style: login ?? 'unified', after: { hooks: [{ hook: 'require_verified_address' }] } },
        registration: {
          style: registration ?? 'unified',
          after: { password: { hooks: [{ hook: 'show_verification_ui' }] } },
        },
        recovery: { use },
        verification: { use },
      },
    },
  })
  const password = { password: { config: { password: PASSWORD } } }
  const oidc = { oidc: { config: { providers: [{ provider: 'acme', subject: 'social-1' }] } } }
  for (const email of [WRITER, USERS['is proven']]) await identity.user(email)
  await make(identity, USERS['is not proven'], { credentials: password })
  await make(identity, USERS['is deactivated'], {
    ...proven(USERS['is deactivated']),
    credentials: password,
    state: 'inactive',
  })
  await make(identity, USERS['has a provider only'], {
    ...proven(USERS['has a provider only']),
    credentials: oidc,
  })
  await make(identity, USERS['has emailed codes only'], proven(USERS['has emailed codes only']))
  const hashed_password = '$2y$04$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e'
  await make(identity, USERS['has an imported hash'], {
    ...proven(USERS['has an imported hash']),
    credentials: { password: { config: { hashed_password } } },
  })
  return identity
}

function withOther(): object {
  const schema = structuredClone(userSchema)
  const other = { type: 'string', format: 'email', 'ory.sh/kratos': { verification: { via: 'email' } } }
  Object.assign(schema.properties.traits.properties, { other })
  return schema
}

async function make(identity: TestIdentity, email: string, more: object): Promise<void> {
  const made = await identity.admin('POST', '/admin/identities', { traits: { email }, ...more })
  assert.equal(made.status, 201)
}

function proven(value: string): object {
  return { verifiable_addresses: [{ value, via: 'email', verified: true, status: 'completed' }] }
}
