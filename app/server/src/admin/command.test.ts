import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { until } from '@my-app/identity/testing/kit/until'
import { startMailServer } from '@my-app/identity/testing/servers/mail-server'
import * as config from '../../../../app.config.ts'
import { freePorts, runCommand, serve, startMain } from '../../test/running-server.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-admin-'))
const env = { DATA_DIR, ...(await freePorts()) }
const admin = (words: string, status = 0) => runCommand(['admin', ...words.split(' ')], env, status)
const email = 'user@example.com'
let isFull = false
const mail = await startMailServer({ on_recipient: () => (isFull ? 550 : undefined) })
const server = await serve({ ...env, SMTP_URL: mail.uri })
after(async () => {
  await server[Symbol.asyncDispose]()
  await mail.stop()
  rmSync(DATA_DIR, { recursive: true })
})

test('an operator finds, shows, disables, enables, signs out, recovers and deletes an account', async () => {
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

test('an operator resends emails, verifies an address and reads events', async () => {
  isFull = true
  const newcomer = 'newcomer@example.com'
  await server.createUser(newcomer, { verified: false })
  assert.match(admin(`user resend ${newcomer}`).stdout, /^A code is on its way to newcomer@example\.com\.$/m)
  const refused = `http://127.0.0.1:${env.ADMIN_PORT}/admin/courier/messages?status=abandoned&recipient=${newcomer}`
  await until(async () => (await (await fetch(refused)).text()) !== '[]')
  const [message] = JSON.parse(admin(`mail list ${newcomer} --json`).stdout) as { id: string }[]
  assert.match(admin(`mail list ${newcomer}`).stdout, /abandoned .* 1 attempt .* 550 /)

  isFull = false
  assert.match(admin(`mail retry ${message?.id}`).stdout, /^The email to newcomer@example\.com is queued\.$/m)
  await until(() => mail.received.some(({ to }) => to === newcomer))
  await until(async () => (await (await fetch(refused)).text()) === '[]')
  assert.match(admin(`mail retry ${message?.id}`, 1).stderr, /\(409\): This message is (sent|processing)\./)

  assert.match(admin(`user show ${newcomer}`).stdout, /\(not verified\)/)
  assert.equal(admin(`user verify ${newcomer}`).stdout, '1 address verified.\n')
  assert.equal(admin(`user verify ${newcomer}`).stdout, '0 addresses verified.\n')
  assert.equal(await server.signIn(newcomer), 200)
  assert.match(
    admin(`user events ${newcomer}`).stdout,
    /sign_in +ok +password[\s\S]+changed_by_operator +ok +PATCH/,
  )
  assert.match(admin('audit list').stdout, /- {2}ok +PATCH \/identities\/:id +[\da-f-]{36} /)
  const [newest = ''] = admin('audit export').stdout.split('\n')
  assert.equal((JSON.parse(newest) as { method: string }).method, 'PATCH /identities/:id')
})

test('operators add and remove roles at the same time', async () => {
  const editor = 'editor@example.com'
  await server.createUser(editor)
  const [{ id } = { id: '' }] = JSON.parse(admin(`user find ${editor} --json`).stdout) as { id: string }[]
  const identity = `http://127.0.0.1:${env.ADMIN_PORT}/admin/identities/${id}`
  const metadata = async () =>
    ((await (await fetch(identity)).json()) as { metadata_public: { roles: string[]; plan: string } })
      .metadata_public
  const former = { plan: 'paid', roles: ['former'] }
  await fetch(identity, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ op: 'add', path: '/metadata_public', value: former }]),
  })

  const [kept, ...others] = config.roles
  const additions = config.roles.map((role) => startMain(env, ['admin', 'user', 'role', 'add', id, role]))
  for (const { exit } of additions) assert.equal(await exit, 0)
  const { plan, roles } = await metadata()
  assert.deepEqual([plan, roles.toSorted()], ['paid', [...config.roles, 'former'].toSorted()])

  assert.equal(admin(`user role add ${editor} ${kept}`).stdout, `${editor} has the role ${kept}.\n`)
  assert.match(
    admin(`user role add ${editor} emperor`, 1).stderr,
    new RegExp(`^There is no role emperor\\. .*: ${config.roles.join(', ')}\\.$`, 'm'),
  )
  assert.match(admin(`user role add ${editor} former`, 1).stderr, /^There is no role former/)
  for (const role of [...others, 'former']) admin(`user role remove ${editor} ${role}`)
  assert.match(admin(`user role remove ${editor} emperor`, 1).stderr, /^There is no role emperor/)
  assert.equal(admin(`user role list ${editor}`).stdout, `${kept}\n`)
  assert.match(admin(`user show ${editor}`).stdout, new RegExp(`^roles +${kept}$`, 'm'))
  assert.deepEqual(await metadata(), { plan: 'paid', roles: [kept] })
  assert.equal(admin('user role list').stdout, `${config.roles.join('\n')}\n`)
  assert.match(
    admin(`user role add ${editor}`, 1).stderr,
    /^Name one ROLE: npm run admin -- user role add USER ROLE/,
  )
})

test('sign-out ends a session older than the fifty newest', async () => {
  await server.createUser('often@example.com')
  const session = await server.openSession('often@example.com')
  const database = new DatabaseSync(join(DATA_DIR, 'my-app.sqlite'), { timeout: 60_000 })
  const row = database.prepare('select * from sessions order by issued_at desc limit 1').get() ?? {}
  const columns = Object.keys(row)
  const insert = database.prepare(
    `insert into sessions (${columns.join()}) values (${columns.map((name) => `:${name}`).join()})`,
  )
  const now = new Date().toISOString()
  database.exec('begin immediate')
  for (let count = 0; count < 50; count += 1)
    insert.run({ ...row, id: randomUUID(), token_hash: randomUUID(), issued_at: now, revoked_at: now })
  database.exec('commit')
  database.close()
  assert.match(admin('user sign-out often@example.com --yes').stdout, /^1 session ended/)
  assert.equal(await server.whoami(session), 401)
})

test('reports a stopped server or an unknown command in a sentence', async () => {
  const away = { DATA_DIR, ...(await freePorts()) }
  assert.match(
    runCommand(['admin', 'user', 'show', email], away, 1).stderr,
    new RegExp(`^The admin API does not answer at http://127\\.0\\.0\\.1:${away.ADMIN_PORT}`),
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
