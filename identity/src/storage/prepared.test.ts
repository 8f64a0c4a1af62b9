import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../test/databases.ts'
import type { Places } from './prepared.ts'
import { prepared } from './prepared.ts'
import type { ErrorsTable } from './tables.ts'

test('a prepared statement is built once for a database and its transactions, and takes the values of each call', async () => {
  const db = await openTestDatabase()
  let built = 0
  const insert = prepared((db, { id, body, created_at, updated_at }: Places<ErrorsTable>) => {
    built += 1
    return db.insertInto('errors').values({ id, body, created_at, updated_at })
  })
  await insert(db, { id: 'a', body: '{"n":1}', created_at: 'then', updated_at: 'then' })
  await db
    .transaction()
    .execute((open) => insert(open, { id: 'b', body: '{"n":2}', created_at: 'now', updated_at: 'now' }))
  const rows = await db.selectFrom('errors').select(['id', 'body', 'created_at']).orderBy('id').execute()
  assert.deepEqual(rows, [
    { id: 'a', body: '{"n":1}', created_at: 'then' },
    { id: 'b', body: '{"n":2}', created_at: 'now' },
  ])
  assert.equal(built, 1)
  await insert(await openTestDatabase(), { id: 'a', body: '{}', created_at: 'now', updated_at: 'now' })
  assert.equal(built, 2)
})

test('the constants of a prepared statement, and null, are not taken for names of values', async () => {
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
