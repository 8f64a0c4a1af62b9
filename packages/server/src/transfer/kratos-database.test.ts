import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { freePorts, runCommand, serve } from '../../test/running-server.ts'

const KRATOS = join(import.meta.dirname, '../../../../packages/identity/test/transfer/kratos.sql')
const scratch = mkdtempSync(join(tmpdir(), 'my-app-kratos-'))
after(() => rmSync(scratch, { recursive: true }))

test('users of an Ory Kratos database stay signed in', async () => {
  const kratos = readFileSync(KRATOS, 'utf8')
  const source = join(scratch, 'kratos.sqlite')
  const database = new DatabaseSync(source)
  database.exec(kratos)
  database.close()
  const env = { DATA_DIR: join(scratch, 'data'), ...(await freePorts()) }
  const { stdout } = runCommand(['import', '--from-kratos-database', source], env)
  assert.match(stdout, /^Imported: 5 accounts, \d+ credentials, 7 sessions\..* Left out: 0 rows\.$/m)
  await using _ = await serve(env)
  const [token = ''] = /ory_st_\w+(?=', 'aal2', true)/.exec(kratos) ?? []
  const headers = { 'X-Session-Token': token }
  assert.equal((await fetch(`http://localhost:${env.PORT}/.ory/sessions/whoami`, { headers })).status, 200)
})

test('refuses a database in memory, which ends with the command', () => {
  const env = { DATABASE_URL: 'memory:' }
  assert.match(runCommand(['import', '--from-kratos-database', 'x'], env, 1).stderr, /^A database in memory/)
})
