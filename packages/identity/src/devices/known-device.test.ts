import assert from 'node:assert/strict'
import { openTestDatabase, testOn } from '../../test/kit/databases.ts'
import type { Context } from '../contract/contract.ts'
import { createSecrets } from '../crypto/secrets.ts'
import { findKnownDevice, findUserKey, rememberDevice } from './known-device.ts'

const DAY_MS = 86_400_000
const ID_LENGTH = 11

async function service() {
  let now = Date.parse('2031-04-02T09:00:00.000Z')
  const secrets = createSecrets({
    default: ['a secret of the tests'],
    cookie: [],
    cipher: [],
    pagination: [],
  })
  const db: Context['db'] = await openTestDatabase()
  const ctx = { db, secrets, now: () => new Date(now) } as Context
  const advance = (milliseconds: number) => {
    now += milliseconds
  }
  const known = (device_cookie: string | undefined, identityId: string) =>
    findKnownDevice(ctx, { device_cookie, credential: undefined }, identityId)
  const userKey = (device_cookie: string | undefined) =>
    findUserKey(ctx, { device_cookie, credential: undefined })
  return { ctx, advance, known, userKey }
}

testOn('SQLite', 'SEC-46 accepts an unmodified device cookie for its own account only', async () => {
  const { ctx, known } = await service()
  const cookie = rememberDevice(ctx, undefined, 'ada')
  const other = rememberDevice(ctx, undefined, 'bob')
  assert.equal(await known(cookie, 'ada'), cookie.slice(0, ID_LENGTH))
  assert.equal(await known(cookie, 'bob'), undefined)
  for (const forged of [
    undefined,
    '',
    cookie.slice(0, -1),
    `${cookie}A`,
    other.slice(0, ID_LENGTH) + cookie.slice(ID_LENGTH),
    cookie.replace(/\.\w+-/, '.zzzzzzzz-'),
    cookie + cookie.slice(ID_LENGTH).repeat(4),
    '.'.repeat(14_000),
  ])
    assert.equal(await known(forged, 'ada'), undefined, forged?.slice(0, 60))
})

testOn(
  'SQLite',
  'SEC-46 recognizes a device for 180 days, however long the browser keeps the cookie',
  async () => {
    const { ctx, advance, known } = await service()
    const cookie = rememberDevice(ctx, undefined, 'ada')
    advance(180 * DAY_MS)
    assert.ok(await known(cookie, 'ada'))
    advance(DAY_MS)
    assert.equal(await known(cookie, 'ada'), undefined)
  },
)

testOn(
  'SQLite',
  'SEC-69 shares one key among browsers that began with the same account, for 180 days',
  async () => {
    const { ctx, advance, userKey } = await service()
    const [cookie, again] = [rememberDevice(ctx, undefined, 'ada'), rememberDevice(ctx, undefined, 'ada')]
    const key = await userKey(cookie)
    assert.ok(key)
    assert.equal(await userKey(again), key)
    assert.equal(await userKey(rememberDevice(ctx, cookie, 'bob')), key)
    assert.notEqual(await userKey(rememberDevice(ctx, undefined, 'bob')), key)
    advance(181 * DAY_MS)
    assert.equal(await userKey(cookie), undefined)
  },
)

testOn('SQLite', 'SEC-69 prevents a browser from creating its own key with a changed cookie', async () => {
  const { ctx, userKey } = await service()
  const cookie = rememberDevice(ctx, undefined, 'ada')
  const forged = `${'A'.repeat(ID_LENGTH)}${cookie.slice(ID_LENGTH)}`
  assert.equal(await userKey(forged), undefined)
  assert.equal(await userKey(rememberDevice(ctx, forged, 'ada')), await userKey(cookie))
  const [id, mark, seal] = cookie.split('.')
  for (const changed of [
    `${id}.${mark}.${mark}.${seal}`,
    `${id}.${mark?.replace(/^\w+/, 'zzzzzzzz')}.${seal}`,
  ])
    assert.equal(await userKey(changed), undefined)
})

testOn('SQLite', 'SEC-46 recognizes a shared browser for its last four users', async () => {
  const { ctx, known } = await service()
  let cookie: string | undefined
  for (const id of ['ada', 'bob', 'cyd', 'bob', 'dan', 'eve']) cookie = rememberDevice(ctx, cookie, id)
  const found = []
  for (const id of ['ada', 'bob', 'cyd', 'dan', 'eve']) if (await known(cookie, id)) found.push(id)
  assert.deepEqual(found, ['bob', 'cyd', 'dan', 'eve'])
  assert.ok((cookie?.length ?? 0) < 280)
})
