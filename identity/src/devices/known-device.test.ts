import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from '../contract.ts'
import { createSecrets } from '../crypto/secrets.ts'
import { findKnownDevice, rememberDevice } from './known-device.ts'

const DAY_MS = 86_400_000
const ID_LENGTH = 22

function service() {
  let now = Date.parse('2031-04-02T09:00:00.000Z')
  const secrets = createSecrets({
    default: ['a secret of the tests'],
    cookie: [],
    cipher: [],
    pagination: [],
  })
  const ctx = { secrets, now: () => new Date(now) } as Context
  const advance = (milliseconds: number) => {
    now += milliseconds
  }
  const known = (device_cookie: string | undefined, identityId: string) =>
    findKnownDevice(ctx, { device_cookie, credential: undefined }, identityId)
  return { ctx, advance, known }
}

test('SEC-46 a device cookie counts for its account only, and not if it was modified', async () => {
  const { ctx, known } = service()
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
    cookie.replace(/\.\d+-/, '.99999-'),
    cookie + cookie.slice(ID_LENGTH).repeat(4),
    '.'.repeat(14_000),
  ])
    assert.equal(await known(forged, 'ada'), undefined, forged?.slice(0, 60))
})

test('SEC-46 a device is known for 180 days, whatever the browser keeps', async () => {
  const { ctx, advance, known } = service()
  const cookie = rememberDevice(ctx, undefined, 'ada')
  advance(180 * DAY_MS)
  assert.ok(await known(cookie, 'ada'))
  advance(DAY_MS)
  assert.equal(await known(cookie, 'ada'), undefined)
})

test('SEC-46 a browser that several users share is known to the last four of them', async () => {
  const { ctx, known } = service()
  let cookie: string | undefined
  for (const id of ['ada', 'bob', 'cyd', 'bob', 'dan', 'eve']) cookie = rememberDevice(ctx, cookie, id)
  const found = []
  for (const id of ['ada', 'bob', 'cyd', 'dan', 'eve']) if (await known(cookie, id)) found.push(id)
  assert.deepEqual(found, ['bob', 'cyd', 'dan', 'eve'])
  assert.ok((cookie?.length ?? 0) < 256)
})
