import assert from 'node:assert/strict'
import { JSON_BODY, messageIds } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { assertCheap } from '../../input/processor-time.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, PUBLIC, type TestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

const STACK = `${'\u0315'.repeat(15_000)}${'\u0300'.repeat(15_000)}`
const ZALGO = `z${'\u0300'.repeat(31)}`
const MARKS = 'Please use at most 30 combining marks, such as accents, in a row.'

const NICKNAMES = {
  identity: {
    schemas: [
      {
        id: 'default',
        schema: {
          type: 'object',
          properties: {
            traits: {
              type: 'object',
              properties: {
                ...userSchema.properties.traits.properties,
                nick: {
                  type: 'string',
                  'ory.sh/kratos': { credentials: { password: { identifier: true } } },
                },
              },
            },
          },
        },
      },
    ],
  },
}

test('SEC-39 refuses a name on which backtracking would take hours', async () => {
  const { email } = userSchema.properties.traits.properties
  const name = { type: 'string', pattern: '^([a-z]+ ?)+$' }
  const schema = {
    type: 'object',
    properties: { traits: { type: 'object', properties: { email, name } } },
  }
  const identity = await createTestIdentity({ identity: { schemas: [{ id: 'default', schema }] } })
  const register = async (name: string) => {
    const browser = identity.browser()
    const flow = await browser.open('registration')
    return await browser.submit(flow, {
      method: 'password',
      password: PASSWORD,
      traits: { email: ADA, name },
    })
  }
  const before = performance.now()
  assert.deepEqual(textsAt(await register(`${'a'.repeat(20_000)}!`), 'traits.name'), [
    'This value has the wrong format. Please check it.',
  ])
  assert.ok(performance.now() - before < 2000)
  assert.equal((await register('ada lovelace')).status, 200)
})

test('SEC-63 SEC-13 an identifier of thousands of marks costs nothing', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  const unknown = await browser.signIn('nobody@example.com')
  for (const identifier of [`a${STACK}@x.yz`, `${ADA}${STACK}`, `${ADA}${' '.repeat(40_000)}x`]) {
    await assertCheap(`${identifier.slice(0, 20)}…`, async () => {
      const answer = await browser.signIn(identifier)
      assert.equal(answer.status, unknown.status)
      assert.deepEqual(messageIds(answer), messageIds(unknown))
    })
  }
  const recovery = await browser.open('recovery')
  await assertCheap('recovery', async () => {
    const answer = await browser.submit(recovery, { method: 'code', email: `a${STACK}@x.yz` })
    assert.ok(answer.status < 500)
  })
})

test('SEC-63 a provider’s return with many fields costs little', async () => {
  const identity = await createTestIdentity()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const [query, body, status] of [
    ['a&'.repeat(7_000), 'b&'.repeat(4_000), 302],
    ['', '%ff&'.repeat(2_000), 302],
    ['', '%ff&'.repeat(16_000), 303],
  ] as const) {
    const url = `${PUBLIC}/self-service/methods/oidc/callback/acme?${query}`
    await assertCheap('form_post', async () => {
      const answer = await identity.publicApp.request(url, { method: 'POST', headers, body })
      assert.equal(answer.status, status)
    })
  }
})

test('SEC-63 rejects stacked marks and overlong identifiers with the reason', async () => {
  const identity = await createTestIdentity(NICKNAMES)
  const browser = await identity.signedIn(ADA)
  const register = async (traits: object, password = PASSWORD) => {
    const visitor = identity.browser()
    const flow = await visitor.open('registration')
    return await visitor.submit(flow, { method: 'password', password, traits })
  }
  const name = await register({ email: 'a@example.com', name: ZALGO })
  assert.deepEqual(textsAt(name, 'traits.name'), [MARKS])
  const nick = await register({ email: 'a@example.com', nick: 'n'.repeat(321) })
  assert.deepEqual(textsAt(nick, 'traits.nick'), ['Please use at most 320 characters.'])
  assert.equal((await register({ email: 'a@example.com', nick: 'n'.repeat(320) })).status, 200)
  const password = await register({ email: 'b@example.com' }, `a password with ${ZALGO}`)
  assert.deepEqual(textsAt(password, 'password'), [MARKS])
  const settings = await browser.open('settings')
  const changed = await browser.submit(settings, { method: 'profile', traits: { email: ADA, name: ZALGO } })
  assert.deepEqual(textsAt(changed, 'traits.name'), [MARKS])
  for (const draft of [
    { traits: { email: 'c@example.com', name: ZALGO } },
    { traits: { email: 'c@example.com' }, credentials: { password: { config: { password: ZALGO } } } },
  ]) {
    const refused = await identity.admin('POST', '/identities', draft)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.reason, /at most 30 combining marks/)
  }
})

test('SEC-63 finds an identifier of 320 characters in every spelling', async () => {
  const identity = await createTestIdentity(NICKNAMES)
  const nick = 'é'.repeat(320)
  const credentials = { password: { config: { password: PASSWORD } } }
  const made = await identity.admin('POST', '/identities', { traits: { email: ADA, nick }, credentials })
  assert.equal(made.status, 201)
  assert.equal((await identity.browser().signIn(nick.normalize('NFD'))).status, 200)
})

test("SEC-64 patches cannot exceed an account's depth or size", async () => {
  const identity = await createTestIdentity()
  const { id } = (await identity.admin('POST', '/identities', { traits: { email: ADA } })).body
  const patch = (path: string, value: unknown) =>
    identity.admin('PATCH', `/identities/${id}`, [{ op: 'add', path, value }])
  const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  const refusals = [
    await patch(`/metadata_public${'/a'.repeat(100)}`, 1),
    await patch(`/metadata_public${'/a'.repeat(40)}`, deep(40)),
    await patch(`/metadata_public${'/a'.repeat(50_000)}`, 1),
  ]
  for (const { status, body } of refusals) {
    assert.equal(status, 400)
    assert.match(body.error.reason, /levels deep/)
  }
  assert.equal((await patch(`/metadata_public${'/a'.repeat(30)}`, deep(30))).status, 200)
  const half = 'x'.repeat(150_000)
  assert.equal((await patch('/metadata_admin', { one: half })).status, 200)
  const large = await patch('/metadata_admin/two', half)
  assert.deepEqual(
    [large.status, large.body.error.reason],
    [400, 'The patched account is larger than 256 KiB.'],
  )
})

test('SEC-64 rejects an expensive body unread', async () => {
  const identity = await createTestIdentity()
  const fill = (piece: string, bytes: number) => piece.repeat(bytes / piece.length)
  const cases = [
    ['POST', '/identities', `{"traits":[${fill('[],', 250_000)}1]}`, 400, /more than 5000 values/],
    ['POST', '/identities', `{"traits":${fill('[', 250_000)}`, 400, /more than 64 levels/],
    ['POST', '/identities', `{"traits":"${fill('x', 300_000)}"}`, 413, /larger than 256 KiB/],
    ['PATCH', '/identities', fill('[', 5_000_000), 400, /more than 64 levels/],
    ['PATCH', '/identities', `{"identities":[${fill('1,', 5_000_000)}1]}`, 400, /more than 100000 values/],
    ['PATCH', '/identities', batch(`{"traits":[${fill('1,', 12_000)}1]}`), 400, /identities\.0 has more/],
    ['POST', '/identities', providers(fill('1,', 8_000)), 400, /providers: Too big/],
  ] as const
  for (const [method, path, body, status, reason] of cases) {
    const init = { method, body, headers: JSON_BODY }
    const answer = await identity.adminApp.request(`http://127.0.0.1${path}`, init)
    const { error } = (await answer.json()) as { error: { reason?: string; message: string } }
    assert.equal(answer.status, status, body.slice(0, 40))
    assert.match(`${error.reason} ${error.message}`, reason)
  }
})

test('SEC-64 serves other requests between the accounts of a batch', async () => {
  const identity = await createTestIdentity()
  const identities = Array.from({ length: 50 }, (_, n) => ({ create: { traits: { email: `n${n}@x.yz` } } }))
  const turns = await countTurns(() => identity.admin('PATCH', '/identities', { identities }))
  assert.ok(turns >= 100, `${turns} turns`)
})

for (const [size, characters, least] of [
  ['large', 20_000, 100],
  ['small', 20, 25],
] as const)
  test(`SEC-64 serves other requests between a hundred ${size} forms`, async () => {
    const { publicApp } = await createTestIdentity()
    const body = JSON.stringify({ identifier: 'x'.repeat(characters) })
    const init = { method: 'POST', body, headers: { ...JSON_BODY, 'content-length': `${body.length}` } }
    const posts = () =>
      Array.from({ length: 100 }, () => publicApp.request('http://identity.test/nowhere', init))
    const turns = await countTurns(() => Promise.all(posts()))
    assert.ok(turns >= least, `${turns} turns`)
  })

async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  await work()
  clearImmediate(next)
  return turns
}

function batch(draft: string): string {
  return `{"identities":[{"create":${draft}}]}`
}

function providers(list: string): string {
  return `{"credentials":{"oidc":{"config":{"providers":[${list}1]}}}}`
}

type Form = Awaited<ReturnType<ReturnType<TestIdentity['browser']>['open']>>

function textsAt(form: Form, name: string): string[] {
  assert.equal(form.status, 400)
  const node = form.body.ui.nodes.find(({ attributes }) => 'name' in attributes && attributes.name === name)
  return (node?.messages ?? []).map(({ text }) => text)
}
