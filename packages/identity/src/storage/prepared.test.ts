import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { idOf } from '../../test/kit/ids.ts'
import { type Places, prepared, preparedInsert, preparedRows } from './prepared.ts'
import type { ErrorsTable } from './tables.ts'

const THEN = '2031-04-02T09:00:00.000Z'
const NOW = '2031-04-02T09:00:00.120Z'

test("builds a statement once per database kind and uses each call's values", async () => {
  const db = await openTestDatabase()
  let built = 0
  const insert = prepared((db, { id, body, created_at, updated_at }: Places<ErrorsTable>) => {
    built += 1
    return db.insertInto('errors').values({ id, body, created_at, updated_at })
  })
  await insert(db, { id: idOf('a'), body: '{"n":1}', created_at: THEN, updated_at: THEN })
  await db
    .transaction()
    .execute((open) => insert(open, { id: idOf('b'), body: '{"n":2}', created_at: NOW, updated_at: NOW }))
  const rows = await db.selectFrom('errors').select(['id', 'body', 'created_at']).orderBy('id').execute()
  assert.deepEqual(rows, [
    { id: idOf('a'), body: '{"n":1}', created_at: THEN },
    { id: idOf('b'), body: '{"n":2}', created_at: NOW },
  ])
  const other = await openTestDatabase()
  await insert(other, { id: idOf('c'), body: '{}', created_at: NOW, updated_at: NOW })
  assert.deepEqual(await other.selectFrom('errors').select(['id', 'body']).execute(), [
    { id: idOf('c'), body: '{}' },
  ])
  assert.equal(built, 1)
})

test('builds one insert per row count, whatever the column order', async () => {
  const db = await openTestDatabase()
  let built = 0
  const insert = preparedRows((db, rows: readonly Places<ErrorsTable>[]) => {
    built += 1
    return db.insertInto('errors').values(rows)
  })
  const row = (id: string) => ({ id: idOf(id), body: `{"of":"${id}"}`, created_at: THEN, updated_at: NOW })
  await insert(db, [row('a')])
  await insert(db, [{ updated_at: NOW, created_at: THEN, body: '{"of":"b"}', id: idOf('b') }])
  assert.equal(built, 1)
  await insert(db, [row('c'), row('d')])
  await insert(db, [row('e'), row('f')])
  assert.equal(built, 2)
  const rows = await db.selectFrom('errors').selectAll().orderBy('id').execute()
  assert.deepEqual(rows, ['a', 'b', 'c', 'd', 'e', 'f'].map(row))
})

test('stores null in a column that one of the rows lacks', async () => {
  const db = await openTestDatabase()
  const insert = preparedInsert('flows')
  const row = (id: string) =>
    ({ id: idOf(id), kind: 'login', expires_at: NOW, version: 0, body: '{}' }) as const
  await insert(db, [row('a'), { ...row('b'), answer: 'sealed' }])
  const rows = await db.selectFrom('flows').select(['id', 'answer']).orderBy('id').execute()
  assert.deepEqual(rows, [
    { id: idOf('a'), answer: null },
    { id: idOf('b'), answer: 'sealed' },
  ])
})

test('does not confuse constants or null with value names', async () => {
  const db = await openTestDatabase()
  const select = prepared((db, { id }: Places<{ readonly id: string | null }>) =>
    db.selectNoFrom((eb) => [
      eb.cast<string>(id, 'text').as('given'),
      eb.cast<string>(eb.val('id'), 'text').as('constant'),
    ]),
  )
  assert.deepEqual((await select(db, { id: null })).rows, [{ given: null, constant: 'id' }])
  assert.deepEqual((await select(db, { id: 'constant' })).rows, [{ given: 'constant', constant: 'id' }])
})
