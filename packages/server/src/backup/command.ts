import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { commandText, readBackupSettings, readSettings, resolveFile, type Settings } from '../settings/env.ts'
import { publicHealthUrl, readHealth } from '../start/health.ts'
import type { Key } from './archive.ts'
import { assertBackupable, backUp } from './backup.ts'
import { assertRestorable, restore } from './restore.ts'

export async function backupCommand(product: Product, args: readonly string[]): Promise<void> {
  const file = fileOf(args, 'backup')
  const settings = readDataSettings(product)
  assertBackupable(settings, file)
  const { recipient, passphrase } = readBackupSettings()
  const key = recipient
    ? { recipient }
    : { passphrase: passphrase ? longEnough(passphrase) : await askForNewPassphrase() }
  await backUp(settings, file, key)
  process.stdout.write(
    `Backed up to ${file}. Keep the ${recipient ? 'identity file' : 'passphrase'}: without it the backup is lost.\n`,
  )
}

export async function restoreCommand(product: Product, args: readonly string[]): Promise<void> {
  const file = fileOf(args, 'restore')
  const settings = readDataSettings(product)
  assertRestorable(settings, file)
  await assertStopped(settings)
  const { created_at, database, otherSecrets } = await restore(settings, file, await keyToOpen())
  process.stdout.write(`Restored ${database} as it was at ${created_at}.\n`)
  if (otherSecrets)
    process.stdout.write(
      'SECRETS does not hold the secrets of the backup. They are in secrets.json in DATA_DIR: put them into SECRETS, or sessions, codes and stored emails cannot be read.\n',
    )
}

function readDataSettings(product: Product): Settings {
  return readSettings(product, undefined, ['SECRETS'])
}

function fileOf(args: readonly string[], command: string): string {
  const [file, ...others] = args
  if (file === undefined || file.startsWith('-') || others.length > 0)
    throw new StartError(`Name one file: ${commandText(command, 'app.backup')}`)
  return resolveFile(file)
}

/** A server whose database was moved away keeps it open. A ready one has another database. */
async function assertStopped(settings: Settings): Promise<void> {
  if ((await readHealth(publicHealthUrl(settings))) === 'not ready')
    throw new StartError(
      `A server runs on port ${settings.port} and is not ready, perhaps because its database was moved. Stop it first.`,
    )
}

async function keyToOpen(): Promise<Key> {
  const { identity, passphrase } = readBackupSettings()
  if (identity) return { identity }
  return { passphrase: passphrase || (await promptSecret('Passphrase: ', TO_OPEN)) }
}

async function askForNewPassphrase(): Promise<string> {
  const passphrase = longEnough(await promptSecret('Passphrase for the backup: ', TO_SEAL))
  if ((await promptSecret('Once more: ', TO_SEAL)) !== passphrase)
    throw new StartError('The two passphrases differ.')
  return passphrase
}

const TO_SEAL = 'Set BACKUP_PASSPHRASE, or BACKUP_RECIPIENT to a public key of age.'
const TO_OPEN = 'Set BACKUP_PASSPHRASE, or BACKUP_IDENTITY to a private key of age.'

function longEnough(passphrase: string): string {
  if (passphrase.length >= SHORTEST) return passphrase
  throw new StartError(`A passphrase has at least ${SHORTEST} characters: it protects every account.`)
}

const SHORTEST = 12

/** Prompts without echo. Throws `StartError(instruction)` without a terminal. */
async function promptSecret(question: string, instruction: string): Promise<string> {
  if (!process.stdin.isTTY) throw new StartError(instruction)
  process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}
