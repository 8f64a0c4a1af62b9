import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { freePorts, runCommand, serve, startMain, untilUp } from '../../test/running-server.ts'
import { assertSpace } from './archive.ts'

const scratch = mkdtempSync(join(tmpdir(), 'my-app-backup-'))
after(() => rmSync(scratch, { recursive: true }))

/** A key, because a passphrase takes a second of processor time. */
const BACKUP_IDENTITY = await generateIdentity()
const BACKUP_RECIPIENT = await identityToRecipient(BACKUP_IDENTITY)
const DATA_DIR = await installed('installed')
const backup = join(scratch, 'installed.backup')
runCommand(['backup', backup], { DATA_DIR, BACKUP_RECIPIENT })
const emails = Array.from({ length: 4 }, (_, index) => `user-${index}@example.com`)

test('FLT-42 every command uses the database of a data folder whose name looks like a URL', async () => {
  const name = "Ada's a?x=1&y=%41 #1, 100%"
  const env = { DATA_DIR: join(scratch, name), ...(await freePorts()) }
  await using server = await serve(env)
  await server.createUser('ada@example.com')
  assert.ok(existsSync(join(env.DATA_DIR, 'my-app.sqlite')))
  assert.match(runCommand(['doctor'], env).stdout, /reachable and up to date/)
  const copy = join(scratch, `${name}.backup`)
  runCommand(['backup', copy], { ...env, BACKUP_RECIPIENT })
  const restored = join(scratch, `${name} restored`)
  runCommand(['restore', copy], { DATA_DIR: restored, BACKUP_IDENTITY })
  assert.ok(existsSync(join(restored, 'my-app.sqlite')))
  const stray = readdirSync(scratch).filter((file) => file === name.split('?')[0])
  assert.deepEqual(stray, [])
})

test('every user signs in after a backup under load and a restore', async () => {
  const DATA_DIR = join(scratch, 'first')
  const file = join(scratch, 'drill.backup')
  await using first = await serve({
    DATA_DIR,
    ...(await freePorts()),
  })
  for (const email of emails) await first.createUser(email)
  const load = first.keepSigningIn(emails)
  // `runCommand` would block this process, and so the load.
  const command = startMain({ DATA_DIR, BACKUP_PASSPHRASE: 'long enough for a test' }, ['backup', file])
  assert.equal(await command.exit, 0, command.output.stderr)
  const statuses = await load.end()
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.ok(statuses.length > 1, 'users signed in meanwhile')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.doesNotMatch(readFileSync(file, 'latin1'), /example\.com|SQLite format/)

  const elsewhere = join(scratch, 'second')
  const { stdout } = runCommand(['restore', file], {
    DATA_DIR: elsewhere,
    BACKUP_PASSPHRASE: 'long enough for a test',
  })
  assert.match(stdout, /^Restored .*second.my-app\.sqlite as it was at 20/)
  await using second = await serve({
    DATA_DIR: elsewhere,
    ...(await freePorts()),
  })
  for (const email of emails) assert.equal(await second.signIn(email), 200)

  const again = runCommand(['restore', file], { DATA_DIR: elsewhere, BACKUP_PASSPHRASE: 'x' }, 1)
  assert.match(again.stderr, /exists\. Stop the server and move its data away first/)
})

test('a backup for a public key opens with its identity only, and a damaged one changes nothing', async () => {
  const elsewhere = join(scratch, 'opened')
  const wrong = runCommand(['restore', backup], { DATA_DIR: elsewhere, BACKUP_PASSPHRASE: 'another key' }, 1)
  assert.match(wrong.stderr, /^The backup cannot be opened: the key is another one/)
  const whole = statSync(backup).size
  const cut = join(scratch, 'cut.backup')
  copyFileSync(backup, cut)
  truncateSync(cut, whole - 100)
  const damaged = runCommand(['restore', cut], { DATA_DIR: elsewhere, BACKUP_IDENTITY }, 1)
  assert.match(damaged.stderr, /damaged/)
  const mistyped = runCommand(['restore', backup], { DATA_DIR: elsewhere, BACKUP_IDENTITY: 'x' }, 1)
  assert.equal(mistyped.stderr, 'BACKUP_IDENTITY is not a private key of age (AGE-SECRET-KEY-1…).\n')
  writeFileSync(join(elsewhere, 'my-app.sqlite.unfinished'), 'half')
  runCommand(['restore', backup], { DATA_DIR: elsewhere, BACKUP_IDENTITY })
  writeFileSync(join(elsewhere, 'my-app.sqlite.snapshot'), 'half')
  runCommand(['backup', join(scratch, 'after.backup')], { DATA_DIR: elsewhere, BACKUP_RECIPIENT })
  const kept = new Set(['database.id', 'last-backup', 'my-app.sqlite', 'secrets.json'])
  assert.deepEqual(new Set(readdirSync(elsewhere)), kept)
})

test('does not restore below a running server, and leaves no trace of one', async () => {
  const env = { DATA_DIR: join(scratch, 'running'), ...(await freePorts()) }
  const file = join(scratch, 'running.backup')
  const restore = (status: number) => runCommand(['restore', file], { ...env, BACKUP_IDENTITY }, status)
  {
    await using _ = await serve(env)
    runCommand(['backup', file], { ...env, BACKUP_RECIPIENT })
    renameSync(env.DATA_DIR, `${env.DATA_DIR}.old`)
    assert.match(restore(1).stderr, new RegExp(`^A server runs on port ${env.PORT} .* Stop it first\\.`))
  }
  restore(0)
  const { child, output, exit } = startMain(env)
  await untilUp(child)
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
  assert.doesNotMatch(output.stdout, /another server/)
})

test("does not restore next to another database's log", () => {
  const elsewhere = join(scratch, 'left')
  mkdirSync(elsewhere)
  for (const end of ['-wal', '-journal']) {
    const log = join(elsewhere, `my-app.sqlite${end}`)
    writeFileSync(log, 'of a killed server')
    const { stderr } = runCommand(['restore', backup], { DATA_DIR: elsewhere, BACKUP_IDENTITY }, 1)
    assert.match(stderr, /my-app\.sqlite-\w+ exists\. Stop the server and move its data away first/)
    rmSync(log)
  }
  runCommand(['restore', backup], { DATA_DIR: elsewhere, BACKUP_IDENTITY })
})

test('an old database file shrinks after a restore', async () => {
  const file = join(scratch, 'old.backup')
  mkdirSync(join(scratch, 'old'))
  const old = new DatabaseSync(join(scratch, 'old/my-app.sqlite'))
  old.exec('create table of_before (id text)')
  old.close()
  const DATA_DIR = await installed('old')
  runCommand(['backup', file], { DATA_DIR, BACKUP_RECIPIENT })
  const elsewhere = join(scratch, 'new')
  runCommand(['restore', file], { DATA_DIR: elsewhere, BACKUP_IDENTITY })
  assert.deepEqual([DATA_DIR, elsewhere].map(autoVacuum), [0, 2])
})

test('reports missing prerequisites before prompting', () => {
  const DATA_DIR = join(scratch, 'missing')
  const used = { DATA_DIR: join(scratch, 'installed') }
  const file = join(scratch, 'missing.backup')
  const complaint = (command: string, env: object) =>
    runCommand([command, file], { DATA_DIR, ...env }, 1).stderr
  assert.match(
    complaint('backup', { ...used, BACKUP_PASSPHRASE: 'short' }),
    /^A passphrase has at least 12 characters/,
  )
  assert.match(complaint('backup', used), /BACKUP_RECIPIENT/)
  assert.match(complaint('backup', {}), /^There is no database to back up/)
  assert.equal(complaint('restore', {}), `There is no file ${file}.\n`)
  writeFileSync(file, 'x')
  assert.match(complaint('restore', {}), /BACKUP_IDENTITY/)
})

test("a backup needs the server's secrets, and a restore stores only unknown ones", async () => {
  const file = join(scratch, 'secrets.backup')
  const SECRETS = randomBytes(32).toString('base64')
  const DATA_DIR = await installed('elsewhere', { SECRETS })
  const others = randomBytes(32).toString('base64')
  for (const env of [{}, { SECRETS: others }]) {
    const { stderr } = runCommand(['backup', file], { DATA_DIR, BACKUP_RECIPIENT, ...env }, 1)
    assert.match(stderr, /^The secrets of the server are missing here.*Set SECRETS/)
  }
  assert.equal(existsSync(join(DATA_DIR, 'secrets.json')), false)
  runCommand(['backup', file], { DATA_DIR, BACKUP_RECIPIENT, SECRETS: `${others},${SECRETS}` })
  for (const [name, given, isStored] of [
    ['known', `${others},${SECRETS}`, false],
    ['unknown', others, true],
  ] as const) {
    const elsewhere = join(scratch, name)
    const env = { DATA_DIR: elsewhere, BACKUP_IDENTITY, SECRETS: given }
    const { stdout } = runCommand(['restore', file], env)
    assert.equal(stdout.includes('SECRETS does not hold'), isStored)
    assert.equal(existsSync(join(elsewhere, 'secrets.json')), isStored)
  }
})

test('states the space that is missing on a disk', () => {
  const halves = [scratch, join(scratch, 'installed')].map((folder) => [folder, 5e15] as const)
  assert.throws(() => assertSpace(halves), /needs 10000000000 MB of free space and has \d+ MB\.$/)
  assertSpace([[scratch, 1]])
})

test('points to pg_dump for PostgreSQL', () => {
  const { stderr } = runCommand(
    ['backup', join(scratch, 'none')],
    { DATABASE_URL: 'postgres://localhost/app' },
    1,
  )
  assert.match(stderr, /pg_dump/)
})

async function installed(name: string, env: object = {}): Promise<string> {
  const DATA_DIR = join(scratch, name)
  await (await serve({ DATA_DIR, ...env, ...(await freePorts()) }))[Symbol.asyncDispose]()
  return DATA_DIR
}

function autoVacuum(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'my-app.sqlite'), { readOnly: true })
  const mode = database.prepare('pragma auto_vacuum').get()?.auto_vacuum
  database.close()
  return mode
}
