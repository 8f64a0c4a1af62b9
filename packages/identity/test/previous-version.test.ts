import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { migrations } from '../src/storage/migrations/all.ts'
import { PASSWORD } from './clients.ts'
import { newDsn, testOnEach as test } from './databases.ts'
import type { Service } from './processes-kit.ts'
import { configFile, start, stop } from './processes-kit.ts'

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'my-app-previous-'))
after(() => rmSync(folder, { recursive: true }))
/** Compiled once for all its starts, and gone with it. */
const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
const previous = unpackPrevious()

test('FLT-24 the previous version runs against the tables of this one, and each reads what the other writes', async (t) => {
  if (!previous) return t.skip('the history of this clone does not reach back to the previous version')
  const config = configFile(await newDsn({ shared: true, empty: true }))
  const current = await start(config)
  assert.equal(await submit(current, 'registration', 'new@example.com'), 200)
  // As when replicas are replaced one by one, and one of those that are left starts again.
  const old = await start(config, { main: previous, env })
  assert.equal(await submit(old, 'registration', 'old@example.com'), 200)
  for (const email of ['old@example.com', 'new@example.com'])
    for (const service of [old, current]) assert.equal(await submit(service, 'login', email), 200)
  assert.equal(await stop(old), 0)
  assert.equal(await stop(current), 0)
  // As when the update is taken back, and made again.
  for (const [name, options] of Object.entries({ old: { main: previous, env }, new: {} })) {
    const service = await start(config, options)
    assert.equal(await submit(service, 'login', 'new@example.com'), 200)
    assert.equal(await submit(service, 'registration', `later-${name}@example.com`), 200)
    assert.equal(await stop(service), 0)
  }
})

/**
 * The program of the last release before this version, with the packages of this one. Before there is a release: of the
 * last version that lacks the newest migration.
 */
function unpackPrevious(): string | undefined {
  const commit = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^') ?? withoutNewestMigration()
  if (!commit) return undefined
  const archive = spawnSync('git', ['archive', commit, 'identity', 'package.json'], {
    cwd: root,
    maxBuffer: 1 << 28,
  })
  const { status } = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  if (archive.status !== 0 || status !== 0) return undefined
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'packages/identity-server/src/main.ts')
}

function withoutNewestMigration(): string | undefined {
  const file = `packages/identity/src/storage/migrations/${Object.keys(migrations).at(-1)}.ts`
  const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', file)
  // Nothing has added it where it is not committed yet.
  return git('rev-parse', added ? `${added}^` : 'HEAD')
}

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Opens a form as an app does and sends it; returns the status. */
async function submit({ url }: Service, kind: 'login' | 'registration', email: string): Promise<number> {
  const opened = await fetch(`${url}/self-service/${kind}/api`)
  const { id } = (await opened.json()) as { id: string }
  const values = kind === 'login' ? { identifier: email } : { traits: { email } }
  const answer = await fetch(`${url}/self-service/${kind}?flow=${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'password', password: PASSWORD, ...values }),
  })
  await answer.arrayBuffer()
  return answer.status
}
