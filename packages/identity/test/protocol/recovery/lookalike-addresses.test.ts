import assert from 'node:assert/strict'
import fc from 'fast-check'
import { runs } from '../../input/sample.ts'
import { test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

test('SEC-07 emails only stored addresses, byte for byte', async () => {
  const identity = await createTestIdentity()
  const stored = ['kelly@example.com', 'iris@example.com', 'strasse@example.com', 'office@example.com']
  for (const email of stored) await identity.admin('POST', '/admin/identities', { traits: { email } })
  for (const typed of [...stored.flatMap(lookalikes)]) await ask(identity, typed)
  const sentTo = (await identity.listMails(1000)).map(({ recipient }) => recipient)
  assert.ok(sentTo.length > 0, 'the plain spellings were sent')
  assert.deepEqual(
    sentTo.filter((recipient) => !stored.includes(recipient)),
    [],
  )
})

testOn('SQLite', 'SEC-07 emails only the stored address for random lookalike letters', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: { recovery: { lifespan: '24h' } } } })
  const stored = 'kiss@example.com'
  await identity.admin('POST', '/admin/identities', { traits: { email: stored } })
  const letters = fc.constantFrom(...'kisKISßıİſﬁﬆｋ', '\u212a', '.', '@', '\uff20')
  const local = fc.oneof(fc.constant('kiss'), fc.string({ unit: letters, minLength: 1, maxLength: 5 }))
  const domain = fc.constantFrom('example.com', 'EXAMPLE.com', 'exampl\uff45.com', 'example\u3002com')
  const app = identity.app()
  const form = await app.open('recovery')
  for (const [left, right] of fc.sample(fc.tuple(local, domain), runs(300, 10_000))) {
    await app.submit(form, { method: 'code', email: `${left}@${right}` })
  }
  const sentTo = new Set((await identity.listMails(1000)).map(({ recipient }) => recipient))
  assert.deepEqual([...sentTo], [stored])
})

/** Replaces one letter (GitHub's dotless ı and similar), in either part of the address. */
function lookalikes(email: string): string[] {
  const kin: readonly [string, string][] = [
    ['ss', 'ß'],
    ['i', 'ı'],
    ['i', 'İ'],
    ['s', 'ſ'],
    ['ff', 'ﬀ'],
    ['fi', 'ﬁ'],
    ['ffi', 'ﬃ'],
    ['fl', 'ﬂ'],
    ['st', 'ﬆ'],
    ['st', 'ﬅ'],
    ['k', '\u212a'],
    ['@', '\uff20'],
    ['e', 'ｅ'],
    ['.', '。'],
  ]
  const [local = '', domain = ''] = email.split('@')
  return [
    email,
    email.toUpperCase(),
    ` ${email}`,
    ...kin.flatMap(([from, to]) => [
      email.replaceAll(from, to),
      `${local.replaceAll(from, to)}@${domain}`,
      `${local}@${domain.replaceAll(from, to)}`,
    ]),
  ]
}

async function ask(identity: TestIdentity, email: string): Promise<void> {
  const app = identity.app()
  for (const kind of ['recovery', 'verification'] as const) {
    await app.submit(await app.open(kind), { method: 'code', email })
  }
  identity.advance(2 * 3_600_000)
}
