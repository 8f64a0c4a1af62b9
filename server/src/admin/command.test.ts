import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePorts, runCommand, serve } from '../../test/running-server.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-admin-'))
after(() => rmSync(DATA_DIR, { recursive: true }))
const env = { DATA_DIR, ...(await freePorts()) }
const admin = (words: string, status = 0) => runCommand(['admin', ...words.split(' ')], env, status)
const email = 'user@example.com'

test('an operator finds, shows, disables, enables, signs out, recovers and deletes an account', async () => {
  await using server = await serve(env)
  await server.createUser(email)
  assert.equal(await server.signIn(email), 200)

  const [found] = JSON.parse(admin('user find user@ --json').stdout) as { id: string }[]
  assert.match(admin(`user show ${email}`).stdout, /state +active\n.*\ncredentials +password/)
  assert.match(admin(`user sessions ${found?.id}`).stdout, /live +aal1 .* +An app$/m)

  assert.match(admin(`user disable ${email}`, 1).stderr, /Confirm with --yes/)
  assert.match(admin(`user disable ${email} --yes`).stdout, /is disabled/)
  assert.notEqual(await server.signIn(email), 200)
  assert.doesNotMatch(admin(`user sessions ${email}`).stdout, /live/)
  admin(`user enable ${email}`)
  assert.equal(await server.signIn(email), 200)

  assert.match(admin(`user sign-out ${email} --yes`).stdout, /^1 session ended/)
  assert.match(admin(`user recovery-code ${email}`).stdout, /^\d{6} at http/)
  assert.match(admin('mail list').stdout, /./)
  assert.match(admin(`user disable ${email} --yes`).stdout, /is disabled/, 'without a session, too')
  admin(`user delete ${email} --yes`)
  assert.match(admin(`user show ${email}`, 1).stderr, /^No account has the address/)
})

test('a server that is not running, or an unknown command, is reported in a sentence', () => {
  assert.match(
    admin(`user show ${email}`, 1).stderr,
    new RegExp(`^The admin API does not answer at http://127\\.0\\.0\\.1:${env.ADMIN_PORT}`),
  )
  assert.match(
    admin('user rename', 1).stderr,
    /^There is no command "user rename"\.\n\n[\s\S]+user find TEXT/,
  )
  assert.match(
    admin('keys rotate --yes again', 1).stderr,
    /^"again" is too much: npm run admin -- keys rotate\n/,
  )
  assert.match(admin('user show a b', 1).stderr, /^"b" is too much: npm run admin -- user show USER\n/)
  assert.match(admin('user show --jsn', 1).stderr, /^Unknown option '--jsn'\.\n/)
  assert.match(runCommand(['admin'], env).stdout, /user find TEXT/)
})
