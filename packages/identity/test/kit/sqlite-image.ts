import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../../src/storage/db.ts'

let image: Promise<Uint8Array> | undefined

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
    // An in-memory copy cannot use a write-ahead log.
    database.exec('pragma journal_mode = delete')
    const bytes = database.serialize()
    database.close()
    return bytes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
