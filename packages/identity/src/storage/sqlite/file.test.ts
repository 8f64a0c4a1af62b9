import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase, tightenDatabase } from '../db.ts'
import { sqlitePath } from './file.ts'

test('a new database and its WAL are private, whatever the umask', async (t) => {
  const { dsn, files } = newDatabase(t)
  const before = process.umask(0o022)
  t.after(() => process.umask(before))
  const db = await openDatabase(dsn)
  assert.deepEqual(files.map(modeOf), [0o600, 0o600, 0o600])
  await db.destroy()
})

test('restricts readable database files with a warning', async (t) => {
  const { dsn, files } = newDatabase(t)
  const db = await openDatabase(dsn)
  for (const file of files) chmodSync(file, 0o644)
  assert.deepEqual(tightenDatabase(dsn), files)
  assert.deepEqual(files.map(modeOf), [0o600, 0o600, 0o600])
  assert.deepEqual(tightenDatabase(dsn), [])
  await db.destroy()
})

test('FLT-42 only parameters after the file are none of its name', () => {
  for (const [dsn, path] of [
    ['sqlite:///var/lib/id.sqlite?_fk=true&_busy_timeout=5000', '/var/lib/id.sqlite'],
    ['sqlite:id.sqlite?_fk', 'id.sqlite'],
    ['sqlite:///what? a=b/id.sqlite', '/what? a=b/id.sqlite'],
    ['sqlite:///a?x=1/100% #2/id.sqlite?_fk=true', '/a?x=1/100% #2/id.sqlite'],
    ['who?/what?.sqlite', 'who?/what?.sqlite'],
  ] as const)
    assert.equal(sqlitePath(dsn), path)
})

function newDatabase(t: { after(end: () => void): void }) {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-modes-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'identity.sqlite')
  return { dsn: `sqlite://${path}`, files: [path, `${path}-wal`, `${path}-shm`] }
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777
}
