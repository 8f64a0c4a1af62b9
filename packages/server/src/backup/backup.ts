import { createReadStream, createWriteStream, existsSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { canRead } from '@ostiary/identity/operating'
import { StartError } from '../http/errors.ts'
import type { Settings } from '../settings/env.ts'
import { findSecrets, keepBackupTime } from '../start/data-folder.ts'
import { assertSpace, type Key, type Manifest, sealBackup, withTemporaryFiles } from './archive.ts'

/** The server may run meanwhile. Throws `StartError` without a database, or if the file exists. */
export async function backUp(settings: Settings, file: string, key: Key): Promise<void> {
  const database = assertBackupable(settings, file)
  // Not encrypted, so it stays in the database's folder.
  const snapshot = `${database}.snapshot`
  const unfinished = `${file}.unfinished`
  process.umask(0o077)
  const bytes = statSync(database).size + (statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  assertSpace([
    [dirname(snapshot), bytes],
    [dirname(file), bytes],
  ])
  await withTemporaryFiles([snapshot, unfinished], async () => {
    const { installation, marks } = copyTo(snapshot, database)
    const head: Manifest = {
      format: 'ostiary-backup',
      version: 1,
      created_at: statSync(snapshot).mtime.toISOString(),
      installation,
      secrets: secretsOf(marks, settings),
      bytes: statSync(snapshot).size,
    }
    const sealed = await sealBackup(head, createReadStream(snapshot), key)
    await pipeline(sealed, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }))
    renameSync(unfinished, file)
    keepBackupTime(settings)
  })
}

export function assertBackupable(
  { identity_url, database_file, database_url }: Settings,
  file: string,
): string {
  if (existsSync(file)) throw new StartError(`${file} exists already. Name another file.`)
  if (identity_url !== undefined)
    throw new StartError(
      'The accounts are at IDENTITY_URL. Back up tables of the product with `sqlite3 FILE ".backup COPY"` or pg_dump.',
    )
  if (database_url !== undefined)
    throw new StartError(
      'The data are in PostgreSQL. Back them up with pg_dump: docs/operations.md says how.',
    )
  if (database_file === undefined || !existsSync(database_file))
    throw new StartError('There is no database to back up. Check DATA_DIR and DATABASE_URL.')
  return database_file
}

/** Copies in one transaction, which delays no writer in SQLite's WAL mode. */
function copyTo(snapshot: string, database: string) {
  const source = new DatabaseSync(database, { readOnly: true, timeout: 10_000 })
  try {
    // Copies of old files can then shrink.
    if (source.prepare('pragma auto_vacuum').get()?.auto_vacuum === 0)
      source.exec('pragma auto_vacuum = incremental')
    source.prepare('vacuum into ?').run(snapshot)
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(snapshot, { readOnly: true })
  try {
    // Older databases lack the column `secrets`.
    const { id, secrets } = copy.prepare('select * from installation').get() ?? {}
    return { installation: String(id), marks: secrets ? String(secrets) : undefined }
  } finally {
    copy.close()
  }
}

/** Operators often set SECRETS for the server only. */
function secretsOf(marks: string | undefined, settings: Settings): string[] {
  const secrets = findSecrets(settings)
  if (secrets && (marks === undefined || canRead(marks, secrets))) return [...secrets]
  throw new StartError(
    'The secrets of the server are missing here, and without them a backup is of no use. Set SECRETS and DATA_DIR as where the server is started.',
  )
}
