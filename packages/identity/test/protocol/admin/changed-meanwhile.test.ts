import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../../../src/storage/database.ts'
import { type Db, withTransaction } from '../../../src/storage/db.ts'
import { findCredential, updateCredentialOnce } from '../../../src/storage/identities/credentials.ts'
import { revokeOtherSessions } from '../../../src/storage/sessions/ended-sessions.ts'
import type { Answer } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, openTestDatabase, testOnEach as test } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { EVE } from '../../kit/recovery-kit.ts'

const NEW_PASSWORD = 'battery staple 7 horse'

test('SEC-16 a pending sign-in fails after a password change', async () => {
  const { identity, db } = await withDatabase()
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const answer = await meanwhile(db, () => app.submit(form, values), await newPassword(identity, ADA))
  assert.equal(answer.status, 400)
  assert.equal((await liveSessions(db)).length, 0)
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
})

test('SEC-16 rehashing an imported password undoes no password change', async () => {
  const { identity, db } = await withDatabase()
  const salt = 'a salt of the test'
  const parts = [salt, pbkdf2Sync(PASSWORD, salt, 1000, 32, 'sha256')].map((part) =>
    Buffer.from(part).toString('base64').replaceAll('=', ''),
  )
  const hashed_password = `$pbkdf2-sha256$i=1000,l=32$${parts.join('$')}`
  const credentials = { password: { config: { hashed_password } } }
  await identity.admin('POST', '/admin/identities', { traits: { email: ADA }, credentials })
  const app = identity.app()
  const form = await app.open('login')
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  await meanwhile(db, () => app.submit(form, values), await newPassword(identity, ADA))
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
  assert.equal((await identity.app().signIn(ADA)).status, 400)
})

test('SEC-17 a second factor opens no session once its session has ended', async () => {
  const { identity, db } = await withDatabase(SECOND_FACTORS)
  await identity.user(ADA)
  const [other, app] = [identity.app(), identity.app()]
  await other.signIn(ADA)
  const secret = await addTotp(identity, other)
  await app.signIn(ADA)
  const form = await app.open('login', '?aal=aal2')
  const answer = await meanwhile(
    db,
    () => app.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) }),
    async (db) => {
      const ada = await findCredential(db, 'password', ADA)
      await revokeOtherSessions(db, ada?.identity_id ?? '', undefined, identity.now().toISOString())
    },
  )
  assert.equal(answer.status, 401)
  assert.equal((await liveSessions(db)).length, 0)
})

/** After a request has read its data, before its guess is counted. */
async function meanwhile(
  db: Db,
  request: () => Promise<Answer>,
  change: (db: Db) => Promise<unknown>,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  await withTransaction(db, async (db) => {
    if (isPostgres(db)) await sql`lock table limits in access exclusive mode`.execute(db)
    resolve(request())
    await sleep(100)
    await change(db)
  })
  return await promise
}

async function newPassword(identity: TestIdentity, email: string): Promise<(db: Db) => Promise<void>> {
  const credentials = { password: { config: { password: NEW_PASSWORD } } }
  await identity.admin('POST', '/admin/identities', { traits: { email: EVE }, credentials })
  return async (db) => {
    const now = identity.now().toISOString()
    const [own, other] = [
      await findCredential(db, 'password', email),
      await findCredential(db, 'password', EVE),
    ]
    assert.ok(own && other && (await updateCredentialOnce(db, own, other.config, now)))
    await revokeOtherSessions(db, own.identity_id, undefined, now)
  }
}

async function liveSessions(db: Db) {
  return await db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()
}

async function withDatabase(overrides = {}) {
  const dsn = await newDsn({ shared: true })
  return { identity: await createTestIdentity({ ...overrides, dsn }), db: await openTestDatabase(dsn) }
}
