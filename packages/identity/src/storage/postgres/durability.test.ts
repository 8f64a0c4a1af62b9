import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newDsn, openTestDatabase, testOn } from '../../../test/kit/databases.ts'
import { idOf } from '../../../test/kit/ids.ts'
import { NOW, storedFlow } from '../../../test/kit/stored-flow.ts'
import { type Db, withTransaction } from '../db.ts'
import { insertFlow } from '../flows/flows.ts'
import { refundLimits, takeLimits } from '../limits.ts'
import { extendSession, touchSession } from '../sessions/sessions.ts'

testOn(
  'PostgreSQL',
  'only forms, attempts and last uses outside a transaction commit without waiting for the disk',
  async () => {
    const dsn = await newDsn({ empty: true, hasty: true })
    const db = await openTestDatabase(`${dsn}?options=-c%20synchronous_commit%3Don`)
    await sql`create function record_commit() returns trigger language plpgsql as $$ begin
    insert into replicas (id, secrets, seen_at) values (current_setting('synchronous_commit'), '', now()) on conflict do nothing;
    return null; end $$`.execute(db)
    for (const table of ['flows', 'limits', 'sessions'])
      await sql`create constraint trigger record_commit after insert or update on ${sql.table(table)}
      deferrable initially deferred for each row execute function record_commit()`.execute(db)
    const commitsOf = async (work: () => Promise<unknown>) => {
      await db.deleteFrom('replicas').execute()
      await work()
      return (await db.selectFrom('replicas').select('id').execute()).map(({ id }) => id)
    }
    const charge = { key: 'k', burst: 10, refill: 1000 }
    assert.deepEqual(await commitsOf(() => takeLimits(db, [charge], 0)), ['off'])
    assert.deepEqual(await commitsOf(() => refundLimits(db, [charge])), ['off'])
    assert.deepEqual(await commitsOf(() => insertFlow(db, storedFlow(idOf('a')), 'operator')), ['off'])
    await sql`insert into identities (id, schema_id, traits, state, available_aal, created_at, updated_at)
      values (${idOf('i')}, '', '{}', 'active', 'aal1', ${NOW}, ${NOW})`.execute(db)
    await sql`insert into sessions (id, identity_id, token_hash, aal, methods, devices, issued_at, authenticated_at, expires_at)
      values (${idOf('s')}, ${idOf('i')}, '', 'aal1', '[]', '[]', ${NOW}, ${NOW}, ${NOW})`.execute(db)
    assert.deepEqual(await commitsOf(() => touchSession(db, { id: idOf('s'), before: NOW, now: NOW })), [
      'off',
    ])
    assert.deepEqual(await commitsOf(() => extendSession(db, idOf('s'), NOW)), ['on'])
    const both = async (db: Db) => {
      await insertFlow(db, storedFlow(idOf('b')), 'operator')
      await takeLimits(db, [charge], 0)
    }
    assert.deepEqual(await commitsOf(() => withTransaction(db, both)), ['on'])
  },
)
