import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@ostiary/identity/testing/kit/until'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import * as product from '../../../../app.config.ts'
import { randomSecret } from '../../test/product.ts'
import { keepLog } from '../../test/quiet-log.ts'
import { freePorts, startMain, untilUp } from '../../test/running-server.ts'
import { readSettings } from '../../test/settings.ts'
import { StartError } from '../http/errors.ts'
import { assertDataFolder, loadSecrets, readInstallation, tightenDataFolder } from './data-folder.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'my-app-start-'))
const { PORT, ADMIN_PORT } = await freePorts()
const OTHER_PORT = `${await freePort()}`
const URL_OF_FIRST = `http://localhost:${PORT}`

const start = (env: Record<string, string>, ...options: string[]) =>
  startMain({ PORT, ADMIN_PORT, LOG_LEVEL: 'silent', ...env }, options)

const installed = newFolder()
const installing = start({ DATA_DIR: installed })
await untilUp(installing.child)
installing.child.kill('SIGTERM')
await installing.exit

function newInstallation(): string {
  const DATA_DIR = newFolder()
  cpSync(installed, DATA_DIR, { recursive: true })
  return DATA_DIR
}

const refusals: [string, () => Record<string, string>, RegExp][] = [
  [
    'a misspelt setting that production needs',
    () => ({ NODE_ENV: 'production', PUBLIC_URL: 'https://a.example', SECRET: randomSecret() }),
    /^SECRETS is missing.*Did you mean SECRETS\?/s,
  ],
  [
    "an operator's token with full access",
    () => {
      const ADMIN_TOKEN = randomSecret()
      return { ADMIN_TOKEN, ADMIN_TOKENS: `ada:support:${ADMIN_TOKEN}` }
    },
    /ADMIN_TOKEN is also the token of a named operator.*Start the server without it/,
  ],
  [
    'a data folder that is a file',
    () => ({ DATA_DIR: import.meta.filename }),
    /^The data folder .* is a file, not a folder\. Move that file away, or set DATA_DIR to another folder\.$/m,
  ],
  [
    'a database that is a folder',
    () => ({ DATABASE_URL: `sqlite:${import.meta.dirname}`, DATA_DIR: newFolder() }),
    /^DATABASE_URL: .*EISDIR.*\. Name a file in that folder\.$/m,
  ],
  [
    'a database in a missing folder',
    () => ({ DATABASE_URL: `sqlite:${import.meta.dirname}/none/app.sqlite`, DATA_DIR: newFolder() }),
    /^DATABASE_URL: .*ENOENT.*\. Create its folder, or correct its path\.$/m,
  ],
  [
    'MIGRATE=off before a database that must be migrated',
    () => ({ MIGRATE: 'off', DATA_DIR: newFolder() }),
    /^The database lacks .*\(0001-tables.*\)\. Run `npm run migrate` first, or remove MIGRATE=off\.$/m,
  ],
  [
    'PostgreSQL that is away',
    () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/app', DATA_DIR: newFolder() }),
    /^DATABASE_URL: the database cannot be opened: .*ECONNREFUSED.*\. Start its server, .*\.$/m,
  ],
  ['limits that are no JSON', () => ({ LIMITS: 'off' }), /^LIMITS must be a JSON object/],
  [
    'a misspelt limit',
    () => ({ LIMITS: '{"flow":{"totals":"off"}}', DATA_DIR: newFolder() }),
    /^LIMITS: flow\.totals: unknown key.*$/m,
  ],
]
for (const [name, env, sentence] of refusals) {
  test(`${name} ends the start with a line for each problem`, async () => {
    const { exit, output } = start(env())
    assert.equal(await exit, 1)
    assert.match(output.stderr, sentence)
    for (const line of output.stderr.trim().split('\n')) assert.doesNotMatch(line, /^\s/)
    assert.equal(output.stdout, '')
  })
}

test('starts without migrating after npm run migrate', async () => {
  const env = { MIGRATE: 'off', DATA_DIR: newFolder() }
  const first = start(env, 'migrate')
  assert.equal(await first.exit, 0)
  assert.match(
    first.output.stdout,
    /^Applied 0001-tables\n(Applied [\w/-]+\n)*The database is up to date\.\n$/,
  )
  const again = start(env, 'migrate')
  assert.equal(await again.exit, 0)
  assert.equal(again.output.stdout, 'The database is up to date.\n')
  const { child, exit } = start(env)
  await untilUp(child)
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
})

test('an unknown option ends the start, --help lists every setting', async () => {
  const unknown = start({}, '--prot=1')
  assert.equal(await unknown.exit, 1)
  assert.match(unknown.output.stderr, /--prot=1 is not an option/)
  const help = start({}, '--help')
  assert.equal(await help.exit, 0)
  assert.match(help.output.stdout, /COOKIE_DOMAIN/)
  assert.match(help.output.stdout, /^Commands.*: admin, doctor, migrate, backup, /m)
})

test('a second server on a port exits and leaves the first alone', async () => {
  const DATA_DIR = newFolder()
  const first = start({ DATA_DIR })
  await untilUp(first.child)
  for (const env of [{}, { PORT: OTHER_PORT }] as Record<string, string>[]) {
    const second = start({ DATA_DIR, ...env })
    assert.equal(await second.exit, 1)
    assert.match(
      second.output.stderr,
      new RegExp(
        `^Port (${PORT}|${ADMIN_PORT}) is used by another program\\..*(PORT|ADMIN_PORT) to a free port\\.`,
      ),
    )
    assert.equal(second.output.stderr.trim().split('\n').length, 1)
  }
  assert.equal((await fetch(`${URL_OF_FIRST}/health/ready`)).status, 200)
  assert.match(
    first.output.stdout,
    new RegExp(`${product.name} +${URL_OF_FIRST}\n +Inbox +${URL_OF_FIRST}/demo/inbox\n +Data +`),
  )
  for (const file of readdirSync(DATA_DIR)) assert.equal(modeOf(join(DATA_DIR, file)), 0o600, file)
  first.child.kill('SIGTERM')
  assert.equal(await first.exit, 0)
  assert.equal(first.output.stderr, '')
})

test('warns once about a mail server that is down', async () => {
  const { child, exit, output } = start({
    DATABASE_URL: 'memory:',
    SMTP_URL: 'smtp://127.0.0.1:1',
    LOG_LEVEL: 'warn',
  })
  await untilUp(child)
  await until(() =>
    /"the mail server does not work; .* SMTP_URL","reason":".*ECONNREFUSED/.test(output.stdout),
  )
  assert.equal((await fetch(`${URL_OF_FIRST}/health/ready`)).status, 200)
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
  assert.equal(output.stdout.match(/mail server/g)?.length, 1)
})

test('keeps running when the reader of its log ends', async () => {
  const { child, exit } = start({ DATABASE_URL: 'memory:', LOG_LEVEL: 'info' })
  await untilUp(child)
  child.stdout?.destroy()
  for (let request = 0; request < 20; request++) {
    assert.equal((await fetch(`http://127.0.0.1:${PORT}/health/alive`)).status, 200)
    await delay(5)
  }
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
})

test("a restart finds the first start's secrets", () => {
  const settings = readSettings({ DATA_DIR: newFolder() })
  assertDataFolder(settings)
  const first = loadSecrets(settings)
  assert.deepEqual(loadSecrets(settings), first)
  assert.ok((first[0] ?? '').length >= 32)
})

test('restricts an open folder and secrets with a warning', () => {
  const DATA_DIR = newFolder()
  const file = join(DATA_DIR, 'secrets.json')
  writeFileSync(file, '{}')
  chmodSync(DATA_DIR, 0o755)
  chmodSync(file, 0o644)
  const log = keepLog()
  const settings = readSettings({ DATA_DIR })
  tightenDataFolder(settings, log)
  assert.deepEqual([modeOf(DATA_DIR), modeOf(file)], [0o700, 0o600])
  assert.deepEqual(
    log.lines.map(({ level, fields }) => [level, fields]),
    [
      ['warn', { path: DATA_DIR }],
      ['warn', { path: file }],
    ],
  )
  tightenDataFolder(settings, log)
  assert.equal(log.lines.length, 2)
})

test('does not replace or quote a damaged secrets file', () => {
  const DATA_DIR = newFolder()
  const file = join(DATA_DIR, 'secrets.json')
  writeFileSync(file, '{"secrets":["TEST_ONLY_cut')
  assert.throws(
    () => loadSecrets(readSettings({ DATA_DIR })),
    (error) => {
      assert.ok(error instanceof StartError)
      assert.ok(!error.message.includes('TEST_ONLY'))
      return true
    },
  )
  assert.equal(readFileSync(file, 'utf8'), '{"secrets":["TEST_ONLY_cut')
})

test('names files of the data folder that cannot be read', () => {
  const DATA_DIR = newFolder()
  for (const [name, read] of Object.entries({
    'secrets.json': loadSecrets,
    'database.id': readInstallation,
  })) {
    const file = join(DATA_DIR, name)
    mkdirSync(file)
    const message = `${file} cannot be read: it is a directory. Let this user read it.`
    assert.throws(() => read(readSettings({ DATA_DIR })), { name: 'StartError', message })
  }
})

test('FLT-25 a lost database does not look new, and the error says how to start over', async () => {
  const DATA_DIR = newInstallation()
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(DATA_DIR, `my-app.sqlite${suffix}`), { force: true })
  const lost = start({ DATA_DIR })
  assert.equal(await lost.exit, 1)
  assert.match(
    lost.output.stderr,
    /is empty, not the one that was used here before\. Restore .* delete .*database\.id/,
  )
  const migrating = start({ DATA_DIR }, 'migrate')
  assert.equal(await migrating.exit, 1)
  assert.match(migrating.output.stderr, /is empty, not the one that was used here before\. Restore/)
  assert.deepEqual(readdirSync(DATA_DIR).sort(), ['database.id', 'secrets.json'])
  rmSync(join(DATA_DIR, 'database.id'))
  const anew = start({ DATA_DIR })
  await untilUp(anew.child)
  anew.child.kill('SIGTERM')
  assert.equal(await anew.exit, 0)
})

test('FLT-25 lost secrets are not replaced silently', async () => {
  const DATA_DIR = newInstallation()
  rmSync(join(DATA_DIR, 'secrets.json'))
  const lost = start({ DATA_DIR })
  assert.equal(await lost.exit, 1)
  assert.match(lost.output.stderr, /a secret that is missing here.* `npm run migrate -- --forget-secrets`/)
  const forgetting = start({ DATA_DIR }, 'migrate', '--forget-secrets')
  assert.equal(await forgetting.exit, 0)
  const anew = start({ DATA_DIR })
  await untilUp(anew.child)
  anew.child.kill('SIGTERM')
  await anew.exit
})

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
