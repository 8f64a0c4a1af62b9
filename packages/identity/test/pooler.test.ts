import assert from 'node:assert/strict'
import { openDatabase } from '../src/storage/db.ts'
import { atEnd, newDsn, testOn } from './kit/databases.ts'
import { createTestIdentity } from './kit/kit.ts'
import { startPgBouncer } from './servers/pgbouncer.ts'

testOn('PostgreSQL', 'migrates and serves many users through PgBouncer in transaction mode', async (t) => {
  const dsn = new URL(await newDsn({ empty: true, hasty: true }))
  const pooler = await startPgBouncer(Number(dsn.port))
  if (!pooler) return t.skip('there is no PgBouncer on this machine')
  atEnd(() => pooler.stop())
  dsn.port = `${pooler.port}`
  dsn.search = 'pooler=transaction&max_conns=20&connect_timeout=60'
  const opened = await Promise.all([openDatabase(dsn.href), openDatabase(dsn.href)])
  for (const db of opened) await db.destroy()
  const identity = await createTestIdentity({ dsn: dsn.href })
  const users = Array.from({ length: 12 }, async (_, n) => {
    const browser = identity.browser()
    const email = `user-${n}@example.com`
    for (const enter of ['register', 'signIn', 'signIn'] as const) {
      assert.equal((await browser[enter](email)).status, 200)
      assert.equal((await browser.whoami()).status, 200)
      const { logout_token } = (await browser.get('/self-service/logout/browser')).body
      assert.equal((await browser.get(`/self-service/logout?token=${logout_token}`)).status, 204)
      assert.equal((await browser.whoami()).status, 401)
    }
  })
  await Promise.all(users)
})
