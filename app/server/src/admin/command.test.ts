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
import { freePorts, runCommand, serve } from '../../test/running-server.ts'
import { runAdminCommand } from './command.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-admin-'))
const env = { DATA_DIR, ...(await freePorts()) }
const admin = (words: string) => runAdminCommand(words.split(' '), env)
const refuses = (words: string, message: RegExp) => assert.rejects(admin(words), { message })
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

  const [found] = JSON.parse(await admin('user find user@ --json')) as { id: string }[]
  assert.match(await admin(`user show ${email}`), /state +active\n.*\ncredentials +password/)
  assert.match(await admin(`user sessions ${found?.id}`), /live +aal1 .* +An app$/m)

  await refuses(`user disable ${email}`, /Confirm with --yes/)
  assert.match(await admin(`user disable ${email} --yes`), /is disabled/)
  assert.notEqual(await server.signIn(email), 200)
  assert.doesNotMatch(await admin(`user sessions ${email}`), /live/)
  await admin(`user enable ${email}`)
  assert.equal(await server.signIn(email), 200)

  assert.match(await admin(`user sign-out ${email} --yes`), /^1 session ended/)
  assert.match(await admin(`user recovery-code ${email}`), /^\d{6} at http/)
  assert.match(await admin('mail list'), /./)
  assert.match(await admin(`user disable ${email} --yes`), /is disabled/, 'without a session, too')
  await admin(`user delete ${email} --yes`)
  await refuses(`user show ${email}`, /^No account has the address/)
})

test('an operator resends emails, verifies an address and reads events', async () => {
  isFull = true
  const newcomer = 'newcomer@example.com'
  await server.createUser(newcomer, { verified: false })
  assert.match(await admin(`user resend ${newcomer}`), /^A code is on its way to newcomer@example\.com\.$/m)
  const refused = `http://127.0.0.1:${env.ADMIN_PORT}/admin/courier/messages?status=abandoned&recipient=${newcomer}`
  await until(async () => (await (await fetch(refused)).text()) !== '[]')
  const [message] = JSON.parse(await admin(`mail list ${newcomer} --json`)) as { id: string }[]
  assert.match(await admin(`mail list ${newcomer}`), /abandoned .* 1 attempt .* 550 /)

  isFull = false
  assert.match(await admin(`mail retry ${message?.id}`), /^The email to newcomer@example\.com is queued\.$/m)
  await until(() => mail.received.some(({ to }) => to === newcomer))
  await until(async () => (await (await fetch(refused)).text()) === '[]')
  await refuses(`mail retry ${message?.id}`, /\(409\): This message is (sent|processing)\./)

  assert.match(await admin(`user show ${newcomer}`), /\(not verified\)/)
  assert.equal(await admin(`user verify ${newcomer}`), '1 address verified.')
  assert.equal(await admin(`user verify ${newcomer}`), '0 addresses verified.')
  assert.equal(await server.signIn(newcomer), 200)
  assert.match(
    await admin(`user events ${newcomer}`),
    /sign_in +ok +password[\s\S]+changed_by_operator +ok +PATCH/,
  )
  assert.match(await admin('audit list'), /- {2}ok +PATCH \/identities\/:id +[\da-f-]{36} /)
  const [newest = ''] = (await admin('audit export')).split('\n')
  assert.equal((JSON.parse(newest) as { method: string }).method, 'PATCH /identities/:id')
})

test('operators add and remove roles at the same time', async () => {
  const editor = 'editor@example.com'
  await server.createUser(editor)
  const [{ id } = { id: '' }] = JSON.parse(await admin(`user find ${editor} --json`)) as { id: string }[]
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
  await Promise.all(config.roles.map((role) => admin(`user role add ${id} ${role}`)))
  const { plan, roles } = await metadata()
  assert.deepEqual([plan, roles.toSorted()], ['paid', [...config.roles, 'former'].toSorted()])

  assert.equal(await admin(`user role add ${editor} ${kept}`), `${editor} has the role ${kept}.`)
  await refuses(
    `user role add ${editor} emperor`,
    new RegExp(`^There is no role emperor\\. .*: ${config.roles.join(', ')}\\.$`, 'm'),
  )
  await refuses(`user role add ${editor} former`, /^There is no role former/)
  for (const role of [...others, 'former']) await admin(`user role remove ${editor} ${role}`)
  await refuses(`user role remove ${editor} emperor`, /^There is no role emperor/)
  assert.equal(await admin(`user role list ${editor}`), kept)
  assert.match(await admin(`user show ${editor}`), new RegExp(`^roles +${kept}$`, 'm'))
  assert.deepEqual(await metadata(), { plan: 'paid', roles: [kept] })
  assert.equal(await admin('user role list'), config.roles.join('\n'))
  await refuses(`user role add ${editor}`, /^Name one ROLE: npm run admin -- user role add USER ROLE/)
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
  assert.match(await admin('user sign-out often@example.com --yes'), /^1 session ended/)
  assert.equal(await server.whoami(session), 401)
})

test('reports a stopped server or an unknown command in a sentence', async () => {
  const away = { DATA_DIR, ...(await freePorts()) }
  assert.match(
    runCommand(['admin', 'user', 'show', email], away, 1).stderr,
    new RegExp(`^The admin API does not answer at http://127\\.0\\.0\\.1:${away.ADMIN_PORT}`),
  )
  await refuses('user rename', /^There is no command "user rename"\.\n\n[\s\S]+user find TEXT/)
  await refuses('keys rotate --yes again', /^"again" is too much: npm run admin -- keys rotate$/)
  await refuses('user show a b', /^"b" is too much: npm run admin -- user show USER$/)
  await refuses('user show --jsn', /^Unknown option '--jsn'\.\n/)
  assert.match(runCommand(['admin'], env).stdout, /user find TEXT/)
})
