import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePorts, runCommand, serve } from '../../test/running-server.ts'

const scratch = mkdtempSync(join(tmpdir(), 'my-app-import-'))
const env = await freePorts()
const server = await serve({ DATA_DIR: join(scratch, 'data'), ...env })
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true })
})

/** Hash of the password that `signIn` sends. */
const HASH = '$2y$10$We/yX3cGaRXXlGfm7wvf5Oc8xs01cSmR350AiO1gL9augAnTMyutK'

function write(name: string, records: readonly object[]): string {
  const file = join(scratch, name)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join('\n'))
  return file
}

test("Auth0's file of hashes completes the accounts of its user export", async () => {
  const ids = ['5f7c8ec7c33c6c004bbafe82', '5f7c8ec7c33c6c004bbafe83']
  const users = ids.map((id, index) => ({
    user_id: `auth0|${id}`,
    email: `user-${index}@example.com`,
    email_verified: true,
    identities: [{ provider: 'google-oauth2', user_id: `11${index}` }],
    ...(index === 0 ? { multifactor: ['google-authenticator'] } : {}),
  }))
  const hashes = ids.map((id, index) => ({
    _id: { $oid: id },
    email: `user-${index}@example.com`,
    email_verified: true,
    passwordHash: HASH,
  }))
  assert.equal(
    runCommand(['import', write('users.ndjson', users), '--from', 'auth0'], env).stdout,
    '2 accounts imported, 0 refused.\n1 of them had a second factor that is not in the file: until they add one, their first factor is enough.\n',
  )
  assert.equal(await server.signIn('user-0@example.com'), 400)
  const file = write('hashes.ndjson', hashes)
  assert.match(runCommand(['import', file, '--from', 'auth0'], env).stdout, /^2 accounts imported, 0 refused/)
  for (const { email } of users) assert.equal(await server.signIn(email), 200)
  const all = join(scratch, 'all.jsonl')
  runCommand(['export', all], env)
  assert.match(readFileSync(all, 'utf8'), /"provider":"google","subject":"110"/)

  assert.match(
    runCommand(['import', file, '--from', 'auth0'], env, 1).stdout,
    /^0 accounts imported, 2 refused/,
  )
  const refused = readFileSync(`${file}.refused.jsonl`, 'utf8').trim().split('\n')
  assert.deepEqual(
    refused.map((line) => (JSON.parse(line) as { number: number }).number),
    [1, 3],
    'lines of the file, with its empty one',
  )
})

test('reads the hash parameters as the Firebase console shows them', async () => {
  const user = {
    localId: 'uid1',
    email: 'firebase@example.com',
    passwordHash: 'a-_b'.repeat(6),
    salt: '42xEC+ixf3L2lw==',
  }
  const parameters = join(scratch, 'hash_config.txt')
  writeFileSync(
    parameters,
    'hash_config {\n  algorithm: SCRYPT,\n  base64_signer_key: c2lnbmVy+/==,\n  base64_salt_separator: Bw==,\n  rounds: 8,\n  mem_cost: 14,\n}\n',
  )
  const given = ['import', write('users.jsonl', [user]), '--from', 'firebase', '--hash-config', parameters]
  assert.equal(runCommand(given, env).stdout, '1 account imported, 0 refused.\n')
  const all = join(scratch, 'firebase.jsonl')
  runCommand(['export', all], env)
  assert.match(
    readFileSync(all, 'utf8'),
    /\$firescrypt\$ln=14,r=8,p=1\$42xEC\+ixf3L2lw==\$(a\+\/b){6}\$Bw==\$c2lnbmVy\+\/==/,
  )
})
