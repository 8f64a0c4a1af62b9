import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateIdentity, identityToRecipient } from 'age-encryption'

const scratch = mkdtempSync(join(tmpdir(), 'my-app-backup-'))
after(() => rmSync(scratch, { recursive: true }))

const PASSWORD = 'several words of a test'
const emails = Array.from({ length: 8 }, (_, index) => `user-${index}@example.com`)
const main = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts')]

test('the drill: backed up under load and restored elsewhere, every user still signs in', async () => {
  const DATA_DIR = join(scratch, 'first')
  const file = join(scratch, 'drill.backup')
  await using first = await serve({ DATA_DIR, PORT: '5230', ADMIN_PORT: '5231' })
  for (const email of emails) await first.createUser(email)
  const load = first.keepSigningIn()
  command('backup', file, { DATA_DIR, BACKUP_PASSPHRASE: 'long enough for a test' })
  assert.deepEqual(new Set(await load.end()), new Set([200]))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.doesNotMatch(readFileSync(file, 'latin1'), /example\.com|SQLite format/)

  const elsewhere = join(scratch, 'second')
  const { stdout } = command('restore', file, {
    DATA_DIR: elsewhere,
    BACKUP_PASSPHRASE: 'long enough for a test',
  })
  assert.match(stdout, /^Restored .*second.my-app\.sqlite as it was at 20/)
  await using second = await serve({ DATA_DIR: elsewhere, PORT: '5232', ADMIN_PORT: '5233' })
  for (const email of emails) assert.equal(await second.signIn(email), 200)

  const again = command('restore', file, { DATA_DIR: elsewhere, BACKUP_PASSPHRASE: 'x' }, 1)
  assert.match(again.stderr, /exists\. Stop the server and move its data away first/)
})

test('a backup for a public key is opened by its identity only, and a damaged one changes nothing', async () => {
  const DATA_DIR = join(scratch, 'keys')
  const file = join(scratch, 'keys.backup')
  const BACKUP_IDENTITY = await generateIdentity()
  const BACKUP_RECIPIENT = await identityToRecipient(BACKUP_IDENTITY)
  await (await serve({ DATA_DIR, PORT: '5234', ADMIN_PORT: '5235' }))[Symbol.asyncDispose]()
  command('backup', file, { DATA_DIR, BACKUP_RECIPIENT })
  const elsewhere = join(scratch, 'opened')
  const wrong = command('restore', file, { DATA_DIR: elsewhere, BACKUP_PASSPHRASE: 'another key' }, 1)
  assert.match(wrong.stderr, /^The backup cannot be opened: the key is another one/)
  const whole = statSync(file).size
  const cut = join(scratch, 'cut.backup')
  spawnSync('cp', [file, cut])
  truncateSync(cut, whole - 100)
  const damaged = command('restore', cut, { DATA_DIR: elsewhere, BACKUP_IDENTITY }, 1)
  assert.match(damaged.stderr, /damaged/)
  command('restore', file, { DATA_DIR: elsewhere, BACKUP_IDENTITY })
})

test('data in PostgreSQL are backed up otherwise, and the sentence says how', () => {
  const { stderr } = command(
    'backup',
    join(scratch, 'none'),
    { DATABASE_URL: 'postgres://localhost/app', BACKUP_PASSPHRASE: 'x' },
    1,
  )
  assert.match(stderr, /pg_dump/)
})

function command(name: string, file: string, env: NodeJS.ProcessEnv, status = 0) {
  const run = spawnSync(process.execPath, [...main, name, file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })
  assert.equal(run.status, status, run.stderr)
  return run
}

async function serve(env: { DATA_DIR: string; PORT: string; ADMIN_PORT: string }) {
  const child = spawn(process.execPath, main, {
    env: { LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const at = `http://localhost:${env.PORT}`
  await untilReady(child, at)
  const signIn = async (identifier: string) => {
    const opened = await fetch(`${at}/.ory/self-service/login/api`)
    const flow = (await opened.json()) as { ui: { action: string } }
    const body = JSON.stringify({ method: 'password', identifier, password: PASSWORD })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(flow.ui.action, { method: 'POST', headers, body })
    await answer.text()
    return answer.status
  }
  return {
    signIn,
    async createUser(email: string) {
      const answer = await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/admin/identities`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          schema_id: 'person',
          traits: { email },
          credentials: { password: { config: { password: PASSWORD } } },
          verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
        }),
      })
      assert.equal(answer.status, 201, await answer.text())
    },
    keepSigningIn() {
      const statuses: number[] = []
      let over = false
      const done = (async () => {
        for (let turn = 0; !over; turn++) statuses.push(await signIn(emails[turn % emails.length] ?? ''))
      })()
      return {
        async end() {
          over = true
          await done
          return statuses
        },
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess, at: string): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`${at}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
    await delay(50)
  }
  assert.fail('the server ended')
}
