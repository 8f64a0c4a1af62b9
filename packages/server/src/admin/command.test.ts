import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import product from '../../../../app/server.ts'
import * as config from '../../../../app.config.ts'
import { randomSecret } from '../../test/product.ts'
import { freePorts, machine, main, runCommand, serve } from '../../test/running-server.ts'
import { runAdminCommand } from './command.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-admin-'))
const env = { DATA_DIR, ...(await freePorts()) }
const away = { DATA_DIR, ...(await freePorts()) }
const admin = (words: string) => runAdminCommand(product, words.split(' '), env)
const refuses = (words: string, message: RegExp) => assert.rejects(admin(words), { message })
let isFull = false
const mail = await startMailServer({ on_recipient: () => (isFull ? 550 : undefined) })
const server = await serve({ ...env, SMTP_URL: mail.uri })
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(DATA_DIR, { recursive: true })
})

test('an export without calls is empty', () => {
  assert.equal(runCommand(['admin', 'audit', 'export'], env).stdout, '')
})

test('an operator reads why an email failed and sends it again', async () => {
  isFull = true
  const newcomer = 'newcomer@example.com'
  const id = await server.createUser(newcomer, { verified: false })
  const onAdmin = `http://127.0.0.1:${env.ADMIN_PORT}/admin`
  await fetch(`${onAdmin}/identities/${id}/verification`, { method: 'POST' })
  const refused = `${onAdmin}/courier/messages?status=abandoned&recipient=${newcomer}`
  await until(async () => (await (await fetch(refused)).text()) !== '[]')
  const [message] = JSON.parse(await admin(`mail list ${newcomer} --json`)) as { id: string }[]
  assert.match(await admin(`mail list ${newcomer}`), /abandoned .* 1 attempt .* 550 /)

  isFull = false
  assert.match(await admin(`mail retry ${message?.id}`), /^The email to newcomer@example\.com is queued\.$/m)
  await until(() => mail.received.some(({ to }) => to === newcomer))
  await until(async () => (await (await fetch(refused)).text()) === '[]')
  await refuses(`mail retry ${message?.id}`, /\(409\): This message is (sent|processing)\./)
})

test('an operator reads that the mail server is down', async () => {
  await mail.stop()
  const ids = await Promise.all(
    ['a', 'b'].map((name) => server.createUser(`outage-${name}@example.com`, { verified: false })),
  )
  for (const id of ids)
    await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/admin/identities/${id}/verification`, { method: 'POST' })
  await until(
    async () => (await admin('mail list')).match(/queued .* 0 attempts .*ECONNREFUSED/g)?.length === 2,
  )
})

test('an operator lists and exports the calls of the admin API', async () => {
  const id = await server.createUser('audited@example.com')
  await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/admin/identities/${id}`, { method: 'DELETE' })
  assert.match(await admin('audit list'), new RegExp(`^\\S+ +- +ok +DELETE /identities/:id +${id} `))
  const [newest = ''] = (await admin('audit export')).split('\n')
  assert.equal((JSON.parse(newest) as { method: string }).method, 'DELETE /identities/:id')
})

test('operators add and remove roles at the same time', async () => {
  const editor = 'editor@example.com'
  const id = await server.createUser(editor)
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
  assert.deepEqual(await metadata(), { plan: 'paid', roles: [kept] })
  assert.equal(await admin('user role list'), config.roles.join('\n'))
  await refuses(`user role add ${editor}`, /^Name one ROLE: npm run admin -- user role add USER ROLE/)
})

test('a refused token and a missing one have different errors', async (t) => {
  const closed = createServer((_request, response) => response.writeHead(401).end())
  await new Promise<void>((resolve) => closed.listen(Number(away.ADMIN_PORT), '127.0.0.1', resolve))
  t.after(() => closed.close())
  const list = (ADMIN_TOKEN?: string) => runAdminCommand(product, ['mail', 'list'], { ...away, ADMIN_TOKEN })
  await assert.rejects(list(), {
    message: /^The admin API asks for a token: set ADMIN_TOKEN to the server’s, or/,
  })
  await assert.rejects(list(randomSecret()), {
    message: /^The admin API refused the token in ADMIN_TOKEN: .*ADMIN_TOKENS/,
  })
})

for (const [what, reply] of [
  [
    'an answer that breaks off',
    (response) => response.writeHead(200, { 'Content-Length': 9 }).write('[', () => response.destroy()),
  ],
  ['a page of another server', (response) => response.end('<!doctype html>')],
] satisfies [string, (response: ServerResponse) => void][])
  test(`reports ${what} in a sentence`, async (t) => {
    const other = createServer((_request, response) => void reply(response))
    await new Promise<void>((resolve) => other.listen(Number(away.ADMIN_PORT), '127.0.0.1', resolve))
    t.after(() => other.close())
    await assert.rejects(
      runAdminCommand(product, ['mail', 'list'], away),
      /^StartError: The admin API does not answer/,
    )
  })

test('reports a stopped server or an unknown command in a sentence', async () => {
  assert.match(
    runCommand(['admin', 'mail', 'list'], away, 1).stderr,
    new RegExp(`^The admin API does not answer at http://127\\.0\\.0\\.1:${away.ADMIN_PORT}`),
  )
  await refuses('user rename', /^There is no command "user rename"\.\n\n[\s\S]+user role add USER ROLE/)
  await refuses('keys rotate --yes again', /^"again" is too much: npm run admin -- keys rotate$/)
  await refuses('mail retry a b', /^"b" is too much: npm run admin -- mail retry ID$/)
  await refuses(
    'user role add nobody@example.com editor',
    /^No account has the address nobody@example\.com\. The admin page finds/,
  )
  await refuses('mail list --jsn', /^Unknown option '--jsn'\.\n/)
  assert.match(runCommand(['admin'], env).stdout, /user role add USER ROLE/)
})

test('says why its output is not written', () => {
  const { status, stderr } = spawnSync(process.execPath, [...main, 'admin'], {
    encoding: 'utf8',
    env: { ...machine, ...env },
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  assert.deepEqual([status, stderr], [1, 'The output cannot be written: the disk is full.\n'])
})
