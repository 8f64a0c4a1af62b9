import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../settings/env.ts'

/**
 * Beside the secrets this file names the database that belongs to them, so that a lost one (an unmounted volume, an empty
 * copy) does not look like a new one (FLT-25).
 */
export function readInstallation(settings: Settings): string | undefined {
  const file = installationFile(settings)
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export function keepInstallation(settings: Settings, id: string): void {
  const file = installationFile(settings)
  if (file !== undefined && !existsSync(file)) writeFileSync(file, `${id}\n`, { mode: 0o600 })
}

/** How an operator starts over on purpose. */
export function beginAnew(settings: Settings): string {
  return `Restore the database, or correct DATA_DIR and DATABASE_URL. To begin with this one on purpose, delete ${installationFile(settings)}.`
}

/** Undefined if nothing is stored. */
function installationFile({ data_dir, database_file, database_url }: Settings): string | undefined {
  const isKept = database_file !== undefined || database_url !== undefined
  return isKept ? join(data_dir, 'database.id') : undefined
}
