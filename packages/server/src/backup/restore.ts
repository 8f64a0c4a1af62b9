import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../http/errors.ts'
import type { Settings } from '../settings/env.ts'
import { assertDataFolder, keepInstallation, keepSecrets } from '../start/data-folder.ts'
import { assertSpace, type Key, openBackup, withTemporaryFiles } from './archive.ts'

/** Throws `StartError` rather than overwrite data. */
export async function restore(settings: Settings, file: string, key: Key) {
  const target = assertRestorable(settings, file)
  assertDataFolder(settings)
  const unfinished = `${target}.unfinished`
  return await withTemporaryFiles([unfinished], async () => {
    const { head, database } = await openBackup(createReadStream(file), key).catch(damaged)
    assertSpace([[dirname(target), head.bytes]])
    await pipeline(database, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })).catch(
      damaged,
    )
    prepareCopy(unfinished, head.installation)
    const isKnown = head.secrets.every((secret) => settings.secrets.includes(secret))
    if (!isKnown) keepSecrets(settings, head.secrets)
    keepInstallation(settings, head.installation)
    renameSync(unfinished, target)
    const otherSecrets = settings.secrets.length > 0 && !isKnown
    return { created_at: head.created_at, database: target, otherSecrets }
  })
}

export function assertRestorable({ database_file }: Settings, file: string): string {
  if (database_file === undefined)
    throw new StartError('A backup is restored into a SQLite file. Unset DATABASE_URL, or name a file in it.')
  // SQLite would apply an old log to the restored database.
  const leftoverFile = ['', '-wal', '-journal']
    .map((end) => database_file + end)
    .find((one) => existsSync(one))
  if (leftoverFile !== undefined)
    throw new StartError(`${leftoverFile} exists. Stop the server and move its data away first.`)
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`)
  return database_file
}

function damaged(cause: unknown): never {
  if (cause instanceof StartError) throw cause
  throw new StartError('The backup is damaged: it could not be read to its end. Nothing was changed.', {
    cause,
  })
}

/** Throws `StartError` unless it is whole. */
function prepareCopy(file: string, installation: string): void {
  const copy = new DatabaseSync(file)
  try {
    const isWhole = copy.prepare('pragma quick_check(1)').get()?.quick_check === 'ok'
    if (!isWhole || copy.prepare('select id from installation').get()?.id !== installation) damaged(undefined)
    // The server of the backup must not look like one that runs.
    copy.exec('delete from replicas')
  } finally {
    copy.close()
  }
}
