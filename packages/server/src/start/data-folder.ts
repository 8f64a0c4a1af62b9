import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileProblem, type Log } from '@ostiary/identity-server/process'
import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import type { Settings } from '../settings/env.ts'

export function loadSecrets(settings: Settings): readonly string[] {
  const file = secretsFileOf(settings)
  if (settings.secrets.length === 0 && file !== undefined)
    createFile(file, `${JSON.stringify({ secrets: [newSecret()] })}\n`)
  return findSecrets(settings) ?? [newSecret()]
}

export function findSecrets(settings: Settings): readonly string[] | undefined {
  if (settings.secrets.length > 0) return settings.secrets
  const file = secretsFileOf(settings)
  return file !== undefined && existsSync(file) ? readSecretsFile(file) : undefined
}

export function assertDataFolder(settings: Settings): void {
  if (settings.in_memory) return
  const { data_dir } = settings
  try {
    makeFolder(data_dir)
    // The dot is refused if it is a file.
    accessSync(`${data_dir}/.`, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const isFile = (cause as NodeJS.ErrnoException).code === 'ENOTDIR'
    const step = isFile ? 'Move that file away' : 'Make it writable for this user'
    throw new StartError(
      `The data folder ${data_dir} cannot be written: ${fileProblem(cause) ?? cause}. ${step}, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

export function tightenDataFolder(settings: Settings, log: Log): void {
  if (settings.in_memory) return
  const { data_dir } = settings
  const modes = { [data_dir]: 0o700, [join(data_dir, 'secrets.json')]: 0o600 }
  for (const [path, mode] of Object.entries(modes)) {
    if (!existsSync(path) || (statSync(path).mode & 0o077) === 0) continue
    chmodSync(path, mode)
    log.warn({ path }, 'removed access of other users')
  }
}

/** `recursive` never returns where a file system reports "not found", as /proc does. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Stores the secrets of a backup. Throws `StartError` if there are others. */
export function keepSecrets({ data_dir }: Settings, secrets: readonly string[]): void {
  const file = join(data_dir, 'secrets.json')
  const text = `${JSON.stringify({ secrets })}\n`
  if (existsSync(file) && readText(file) !== text)
    throw new StartError(`${file} exists and holds other secrets. Move it away first.`)
  writeFileSync(file, text, { mode: 0o600 })
}

/**
 * Adds a first secret atomically. Returns the number of secrets. Throws `StartError` if the file is missing.
 */
export function rotateSecretsFile(file: string): number {
  if (!existsSync(file)) throw new StartError(`${file} does not exist: the first start makes it.`)
  const secrets = [newSecret(), ...readSecretsFile(file)]
  replaceFile(file, { secrets })
  return secrets.length
}

/** A full disk or a crash leaves the old one. */
export function replaceFile(file: string, content: object): void {
  const next = `${file}.next`
  rmSync(next, { force: true })
  createFile(next, `${JSON.stringify(content)}\n`)
  renameSync(next, file)
}

export function secretsFileOf(settings: Settings): string | undefined {
  return settings.in_memory ? undefined : join(settings.data_dir, 'secrets.json')
}

const secretsFile = z.object({ secrets: z.array(z.string().min(32)).min(1) })

function readSecretsFile(file: string): readonly string[] {
  const text = readText(file)
  try {
    return secretsFile.parse(JSON.parse(text)).secrets
  } catch {
    // The cause could quote the file.
    throw new StartError(
      `${file} cannot be read as secrets. Restore it, or delete it to start with new ones, which signs every user out.`,
    )
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartError(`${file} cannot be read: ${fileProblem(cause) ?? cause}. Let this user read it.`, {
      cause,
    })
  }
}

/** Keeps an existing file. A full disk leaves none. */
function createFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return
    rmSync(file, { force: true })
    throw new StartError(`${file} cannot be written: ${fileProblem(cause) ?? cause}.`, { cause })
  }
}

export function lostSecretAdvice(settings: Settings): string {
  const file = secretsFileOf(settings)
  const isIgnored = settings.secrets.length > 0 && file !== undefined && existsSync(file)
  return isIgnored
    ? `It may be in ${file}, which SECRETS replaces. Append it to SECRETS or SECRETS_FILE`
    : settings.secrets.length > 0
      ? 'Append it to SECRETS or SECRETS_FILE'
      : 'Set it in SECRETS or SECRETS_FILE, or restore DATA_DIR/secrets.json'
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** A lost database (an unmounted volume, an empty copy) must not look new (FLT-25). */
export function readInstallation(settings: Settings): string | undefined {
  const file = installationFile(settings)
  return file !== undefined && existsSync(file) ? readText(file).trim() : undefined
}

export function keepInstallation(settings: Settings, id: string): void {
  const file = installationFile(settings)
  if (file !== undefined && !existsSync(file)) createFile(file, `${id}\n`)
}

export function keepBackupTime({ data_dir }: Settings): void {
  writeFileSync(join(data_dir, BACKUP_TIME), '', { mode: 0o600 })
}

/** In seconds. */
export function findBackupTime({ data_dir }: Settings): number | undefined {
  const file = statSync(join(data_dir, BACKUP_TIME), { throwIfNoEntry: false })
  return file && Math.round(file.mtimeMs / 1000)
}

const BACKUP_TIME = 'last-backup'

export function startOverAdvice(settings: Settings): string {
  return `Restore the database, or correct DATA_DIR and DATABASE_URL. To begin with this one on purpose, delete ${installationFile(settings)}.`
}

function installationFile(settings: Settings): string | undefined {
  return settings.in_memory ? undefined : join(settings.data_dir, 'database.id')
}
