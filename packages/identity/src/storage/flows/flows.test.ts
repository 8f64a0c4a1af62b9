import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../../test/kit/databases.ts'
import { idOf } from '../../../test/kit/ids.ts'
import { NOW, storedFlow } from '../../../test/kit/stored-flow.ts'
import { type Db, withTransaction } from '../db.ts'
import { deleteOldRows } from '../old-rows.ts'
import { addCode, type Code, consumeCode, deleteCodes, insertCode, listCodes } from './codes.ts'
import { findError, findFlow, insertError, insertFlow, updateFlow } from './flows.ts'

const replaceCode = async (db: Db, code: Code): Promise<void> => {
  await deleteCodes(db, code.flow_id)
  await insertCode(db, code)
}

const code = (name: string) => ({
  id: idOf(name),
  flow_id: idOf('f'),
  address: 'ada@example.com',
  secret_mac: 'x',
  created_at: NOW,
  expires_at: NOW,
})

async function withFlow(): Promise<Db> {
  const db = await openTestDatabase()
  await insertFlow(db, storedFlow(idOf('f')), 'operator')
  return db
}

test('returns a stored flow unchanged', async () => {
  const db = await withFlow()
  assert.deepEqual(await findFlow(db, 'login', idOf('f')), storedFlow(idOf('f')))
  assert.equal(await findFlow(db, 'registration', idOf('f')), undefined)
})

test('accepts one of many concurrent saves of a flow', async () => {
  const db = await withFlow()
  const saved = await Promise.all(
    Array.from({ length: 30 }, (_, n) => updateFlow(db, { ...storedFlow(idOf('f')), active: `method ${n}` })),
  )
  const [won, ...others] = saved.filter((one) => one !== undefined)
  assert.equal(others.length, 0)
  assert.deepEqual(await findFlow(db, 'login', idOf('f')), won)
})

test('FLT-13 accepts one of a hundred concurrent uses of a code', async () => {
  const db = await withFlow()
  await replaceCode(db, code('c'))
  const consumed = await Promise.all(
    Array.from({ length: 100 }, () => withTransaction(db, (db) => consumeCode(db, idOf('c'), NOW))),
  )
  assert.equal(consumed.filter(Boolean).length, 1)
})

test('keeps one of two concurrent codes', async () => {
  const db = await withFlow()
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => withTransaction(db, (db) => replaceCode(db, code(`c${n}`)))),
  )
  assert.equal((await listCodes(db, idOf('f'))).length, 1)
})

test('keeps the links to one address when several are sent at once', async () => {
  const db = await withFlow()
  const link = (n: number) => ({ ...code(`c${n}`), address: `${n % 3}@example.com` })
  await Promise.all(Array.from({ length: 12 }, (_, n) => withTransaction(db, (db) => addCode(db, link(n)))))
  assert.equal(new Set((await listCodes(db, idOf('f'))).map(({ address }) => address)).size, 1)
})

test('deletes expired flows and their codes in batches', async () => {
  const db = await withFlow()
  await replaceCode(db, code('c'))
  await insertFlow(db, storedFlow(idOf('g'), '2031-04-02T09:00:00.001Z'), 'operator')
  await insertFlow(db, storedFlow(idOf('live'), '2031-04-02T09:00:00.002Z'), 'operator')
  const before = '2031-04-02T09:00:00.002Z'
  assert.equal(await deleteOldRows(db, 'flows', before, 1), 1)
  assert.equal(await deleteOldRows(db, 'flows', before, 9), 1)
  assert.deepEqual(await listCodes(db, idOf('f')), [])
  assert.ok(await findFlow(db, 'login', idOf('live')))
})

test('returns a stored error repeatedly', async () => {
  const db = await openTestDatabase()
  await insertError(db, idOf('e'), { code: 500, message: 'so' }, NOW)
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual((await findError(db, idOf('e')))?.error, { code: 500, message: 'so' })
  }
  assert.equal(await findError(db, idOf('f')), undefined)
})
