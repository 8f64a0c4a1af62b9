import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../../src/storage/db.ts'

let image: Promise<Uint8Array> | undefined

/** A migrated SQLite database without rows, to copy: migrating another one takes fifty times as long. */
export function migratedImage(): Promise<Uint8Array> {
  image ??= makeImage()
  return image
}

async function makeImage(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-image-'))
  try {
    const path = join(folder, 'migrated.sqlite')
    await (await openDatabase(path)).destroy()
    const database = new DatabaseSync(path)
    // Memory has no write-ahead log, and SQLite opens no copy there that asks for one.
    database.exec('pragma journal_mode = delete')
    const bytes = database.serialize()
    database.close()
    return bytes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
