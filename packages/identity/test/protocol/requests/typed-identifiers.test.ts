import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'

const phoneMarks = {
  credentials: {
    password: { identifier: true },
    webauthn: { identifier: true },
    code: { identifier: true, via: 'sms' },
  },
  verification: { via: 'sms' },
  recovery: { via: 'sms' },
}
const nameMarks = { credentials: { password: { identifier: true } } }
const { traits } = userSchema.properties

const schema = {
  ...userSchema,
  properties: {
    traits: {
      ...traits,
      properties: {
        ...traits.properties,
        phone: { type: 'string', format: 'tel', 'ory.sh/kratos': phoneMarks },
        user: { type: 'string', 'ory.sh/kratos': nameMarks },
      },
      required: [],
    },
  },
}

const CONFIG = {
  identity: { schemas: [{ id: 'default', schema }] },
  selfservice: { methods: { code: { passwordless_enabled: true } } },
  courier: {
    channels: [{ id: 'sms', type: 'http', request_config: { url: 'http://127.0.0.1:9/', method: 'POST' } }],
  },
}

const SPELLINGS: Readonly<Record<string, readonly (readonly [trait: string, ...string[]])[]>> = {
  email: [
    [
      'ada@exämple.com',
      'ada@xn--exmple-cua.com',
      'ADA@EXÄMPLE.COM',
      'ada@exa\u0308mple.com',
      'ada@XN--EXMPLE-CUA.com',
      'ada@exämple。com',
    ],
    ['ada@xn--exmple-cua.com', 'ada@exämple.com', ' ada@ｅｘämple.com '],
    ['δοκιμή@παράδειγμα.example', 'ΔΟΚΙΜΉ@ΠΑΡΆΔΕΙΓΜΑ.EXAMPLE'],
    ['ada@مثال.example', 'ada@xn--mgbh0fb.example'],
    ['kim@faß.example', 'kim@xn--fa-hia.example'],
  ],
  phone: [
    [
      '+49 1512 3456789',
      '+4915123456789',
      '004915123456789',
      '0049 (0)1512/3456789',
      '\u202a+49\u00a01512\u20113456789\u202c',
      '+٤٩ ١٥١٢ ٣٤٥٦٧٨٩',
      '＋４９１５１２３４５６７８９',
      'tel:+49-1512-3456789',
    ],
    ['+442079460958', '+44 (0)20 7946 0958', '00442079460958'],
  ],
  user: [
    ['ΣΊΣΥΦΟΣ', 'ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['İda', 'İDA', 'I\u0307da', 'ida'],
  ],
}

/** Every entry that reads an identifier or address. A new one belongs here. */
const ENTRIES: Readonly<
  Record<string, (identity: TestIdentity, typed: string, trait: string) => Promise<boolean>>
> = {
  async 'login by password'(identity, typed) {
    return (await identity.app().signIn(typed)).status === 200
  },
  async 'login by code'(identity, typed, trait) {
    if (trait === 'user') return true
    const app = identity.app()
    await app.submit(await app.open('login'), { method: 'code', identifier: typed })
    return await wasMailed(identity, 'login_code_valid')
  },
  async recovery(identity, typed, trait) {
    if (trait === 'user' || trait === 'phone') return true
    const app = identity.app()
    await app.submit(await app.open('recovery'), { method: 'code', email: typed })
    return (await wasMailed(identity, 'recovery_code_valid')) || isUnmailable(typed)
  },
  async verification(identity, typed, trait) {
    if (trait === 'user') return true
    const app = identity.app()
    await app.submit(await app.open('verification'), { method: 'code', email: typed })
    return (await wasMailed(identity, 'verification_code_valid')) || isUnmailable(typed)
  },
  async "the operator's look-up"(identity, typed) {
    return (await found(identity, 'credentials_identifier', typed)) === 1
  },
  async "the operator's search"(identity, typed) {
    return (await found(identity, 'preview_credentials_identifier_similar', typed)) === 1
  },
  async 'a second registration'(identity, typed, trait) {
    const { status, body } = await register(identity, { [trait]: typed })
    return status === 400 && (messageIds({ status, body } as never)[0] === 4000007 || isUnmailable(typed))
  },
  async 'a second import'(identity, typed, trait) {
    const { status } = await identity.admin('POST', '/admin/identities', account({ [trait]: typed }))
    return status === 409 || (status === 400 && isUnmailable(typed))
  },
}

for (const [trait, rows] of Object.entries(SPELLINGS)) {
  for (const [first, ...others] of rows) {
    test(`SEC-112 finds the ${trait} ${first} in every spelling, everywhere`, async () => {
      const missed: string[] = []
      for (const how of ['registration', 'import'] as const) {
        const identity = await createTestIdentity(CONFIG)
        const created =
          how === 'import'
            ? await identity.admin('POST', '/admin/identities', account({ [trait]: first }))
            : await register(identity, { [trait]: first })
        assert.ok(created.status < 300, JSON.stringify(created.body))
        for (const typed of [first, ...others]) {
          for (const [entry, finds] of Object.entries(ENTRIES)) {
            if (!(await finds(identity, typed, trait))) missed.push(`${entry} after ${how}: ${typed}`)
            identity.advance(3_600_000)
          }
        }
      }
      assert.deepEqual(missed, [])
    })
  }
}

/** Forms accept an address only as its mail server reads it (SEC-07), and say so. */
function isUnmailable(typed: string): boolean {
  return /[ｅ。]/.test(typed) || typed !== typed.normalize('NFC')
}

function account(traits: object) {
  return { schema_id: 'default', traits, credentials: { password: { config: { password: PASSWORD } } } }
}

async function register(identity: TestIdentity, traits: object) {
  const app = identity.app()
  return await app.submit(await app.open('registration'), { method: 'password', password: PASSWORD, traits })
}

async function found(identity: TestIdentity, filter: string, typed: string): Promise<number> {
  const { body } = await identity.admin('GET', `/admin/identities?${filter}=${encodeURIComponent(typed)}`)
  return body.length
}

async function wasMailed(identity: TestIdentity, template: string): Promise<boolean> {
  const [last] = (await identity.admin('GET', '/admin/courier/messages?page_size=1')).body
  return last?.template_type === template && Date.parse(last.created_at) > identity.now().getTime() - 600_000
}

test('an operator finds an internationalized domain, and a part of it', async () => {
  const identity = await createTestIdentity(CONFIG)
  await identity.admin('POST', '/admin/identities', account({ email: 'ada@xn--exmple-cua.com' }))
  const parts = ['exäm', 'EXÄMPLE.COM', 'xn--exmple-cua.com', '@xn--exmple-cua.com', 'da@exä']
  const counts = await Promise.all(
    parts.map((part) => found(identity, 'preview_credentials_identifier_similar', part)),
  )
  assert.deepEqual(counts, [1, 1, 1, 1, 1])
})

test('an operator finds the emails to an account by the spelling of its trait', async () => {
  const identity = await createTestIdentity(CONFIG)
  const email = 'Ada@xn--exmple-cua.com'
  await register(identity, { email })
  const path = `/admin/courier/messages?recipient=${encodeURIComponent(email)}`
  assert.deepEqual(
    (await identity.admin('GET', path)).body.map(({ recipient }: { recipient: string }) => recipient),
    ['ada@exämple.com'],
  )
})

test('traits keep their spelling, and addresses are readable', async () => {
  const identity = await createTestIdentity(CONFIG)
  const traits = { email: 'Ada@xn--exmple-cua.com', phone: '+49 1512 3456789' }
  const { body } = await identity.admin('POST', '/admin/identities', account(traits))
  assert.deepEqual(body.traits, traits)
  const values = body.verifiable_addresses.map(({ value }: { value: string }) => value)
  assert.deepEqual(values.toSorted(), ['+4915123456789', 'ada@exämple.com'])
})

test('SEC-123 an account with a lookalike address is not found by the other spelling', async () => {
  const identity = await createTestIdentity(CONFIG)
  for (const [victim, lookalike, typed] of [
    ['ada@istanbul.example', 'ada@i\u0307stanbul.example', 'ada@İstanbul.example'],
    ['σίσυφοσ@example.com', 'σίσυφος@example.com', 'ΣΊΣΥΦΟΣ@example.com'],
  ] as const) {
    await register(identity, { email: victim })
    assert.equal((await register(identity, { email: lookalike })).status, 200)
    const { body } = await identity.app().signIn(typed)
    assert.equal(body.session?.identity.traits.email, victim)
    assert.equal(await found(identity, 'credentials_identifier', typed), 1)
    const app = identity.app()
    await app.submit(await app.open('recovery'), { method: 'code', email: typed })
    assert.deepEqual(
      (await identity.mails(lookalike)).map(({ template_type }) => template_type),
      ['verification_code_valid'],
    )
  }
})

test('SEC-125 an email address whose letters become others is refused', async () => {
  const identity = await createTestIdentity(CONFIG)
  for (const email of ['\u212aim@example.com', 'ada@İstanbul.example']) {
    const registered = await register(identity, { email })
    const imported = await identity.admin('POST', '/admin/identities', account({ email }))
    assert.deepEqual([registered.status, imported.status], [400, 400])
  }
})
