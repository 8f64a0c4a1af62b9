import assert from 'node:assert/strict'
import { deleteOldRows } from '../../../src/storage/old-rows.ts'
import { messageIds } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import type { FlowKind } from '../../../src/wire/wire.ts'
import { newDsn, openTestDatabase, test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge } from '../../kit/kit.ts'
import { ADA, BY_LINK, linkTo } from '../../kit/recovery-kit.ts'

const KINDS: readonly FlowKind[] = ['login', 'registration', 'recovery', 'verification']

test('FLT-23 an opened form takes 800 bytes and returns unchanged', async () => {
  const { identity, db } = await withDatabase()
  for (const kind of KINDS) {
    for (const client of [identity.browser(), identity.app()]) {
      const opened = await client.open(kind)
      const { body } = await db
        .selectFrom('flows')
        .select('body')
        .where('id', '=', opened.body.id)
        .executeTakeFirstOrThrow()
      assert.ok(body.length < 800, `${kind}: ${body.length} bytes`)
      const path = `/self-service/${kind}/flows?id=${opened.body.id}`
      const fetched = await client.send('GET', path, undefined, {})
      assert.deepEqual([fetched.status, fetched.body], [200, opened.body])
    }
  }
})

test('a fetched form keeps its messages', async () => {
  const { identity } = await withDatabase()
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('login')
  await browser.submit(form, { method: 'password', identifier: ADA, password: 'not this one' })
  const again = await browser.get(`/self-service/login/flows?id=${form.body.id}`)
  assert.deepEqual(messageIds(again), [4000006])
  const done = await browser.submit(again, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.equal(done.status, 200)
})

test('a repeatedly refused form does not grow', async () => {
  const { identity } = await withDatabase()
  await identity.user(ADA)
  for (const kind of [...KINDS, 'settings'] as const) {
    const browser = identity.browser()
    if (kind === 'settings') await browser.signIn(ADA)
    const form = await browser.open(kind)
    const refused = async (times: number) => {
      for (let i = 1; i < times; i++) await browser.submit(form, fieldsOf(i))
      const { body } = await browser.submit(form, fieldsOf(times))
      return JSON.stringify(body).length
    }
    // A form keeps at most twenty messages.
    const first = await refused(25)
    assert.ok((await refused(5)) < first + 100, kind)
  }
})

function fieldsOf(time: number): object {
  return {
    method: 'nonsense',
    [`field${time}`]: 'x'.repeat(1000),
    [`traits.field${time}`]: 'x',
    code: `${time}`,
  }
}

for (const kind of ['verification', 'recovery'] as const) {
  test(`an emailed ${kind} link without its flow leads to a new form`, async () => {
    const { identity, db } = await withDatabase(BY_LINK)
    await identity.user(ADA)
    const browser = identity.browser()
    await browser.submit(await browser.open(kind), { method: 'link', email: ADA })
    const link = await linkTo(identity, ADA)
    identity.advance(86_400_000)
    await deleteOldRows(db, 'flows', identity.now().toISOString(), 100)
    const opened = await identity.browser().navigate(link)
    assert.match(opened.location ?? '', /^http:\/\/app\.test\/(verify|recovery)\?flow=/)
    const script = await identity.browser().get(link)
    assert.equal(script.status, 404)
  })
}

async function withDatabase(overrides: Merge = {}) {
  const dsn = await newDsn({ shared: true })
  return { identity: await createTestIdentity({ ...overrides, dsn }), db: await openTestDatabase(dsn) }
}
