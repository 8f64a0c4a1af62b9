import { rmSync, statfsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createGunzip, createGzip } from 'node:zlib'
import { jsonOrText } from '@ostiary/identity/serving'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { StartError } from '../http/errors.ts'

/**
 * An age file (https://age-encryption.org/v1) with a gzip of the manifest, one line of JSON, and a
 * SQLite database: `age -d FILE | gunzip | tail -n +2`.
 */
const manifest = z.object({
  format: z.literal('ostiary-backup'),
  version: z.literal(1),
  created_at: z.string(),
  installation: z.string(),
  secrets: z.array(z.string()),
  bytes: z.number(),
})

export type Manifest = z.infer<typeof manifest>

export type Key =
  | { readonly passphrase: string }
  /** `age1…`: the operator cannot read the backup. */
  | { readonly recipient: string }
  /** Such as `AGE-SECRET-KEY-1…`. */
  | { readonly identity: string }

/** Throws `StartError` for an invalid recipient. */
export async function sealBackup(head: Manifest, database: Readable, key: Key): Promise<Readable> {
  const encrypter = new Encrypter()
  if ('passphrase' in key) encrypter.setPassphrase(key.passphrase)
  else if ('recipient' in key) addRecipient(encrypter, key.recipient)
  else throw new StartError('A backup is locked with a passphrase or a recipient, not with an identity.')
  const plain = Readable.from(concatenated(head, database))
  const packed = plain.compose(createGzip()) as Readable
  return fromWeb(await encrypter.encrypt(toWeb(packed)))
}

/** Throws `StartError` if the key is wrong or the file is not a backup. */
export async function openBackup(file: Readable, key: Key): Promise<{ head: Manifest; database: Readable }> {
  const decrypter = new Decrypter()
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase)
  else if ('identity' in key) addIdentity(decrypter, key.identity)
  else throw new StartError('A backup is opened with a passphrase or an identity (AGE-SECRET-KEY-1…).')
  const decrypted = await decrypter.decrypt(toWeb(file)).catch((cause: unknown) => {
    throw new StartError('The backup cannot be opened: the key is another one, or the file is damaged.', {
      cause,
    })
  })
  return await readManifest(fromWeb(decrypted).compose(createGunzip()) as Readable)
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch (cause) {
    throw new StartError('BACKUP_RECIPIENT is not a public key of age. `age-keygen` makes a pair.', { cause })
  }
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity)
  } catch {
    // The cause may quote the key.
    throw new StartError('BACKUP_IDENTITY is not a private key of age (AGE-SECRET-KEY-1…).')
  }
}

async function* concatenated(head: Manifest, database: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head)}\n`)
  for await (const chunk of database) yield chunk as Buffer
}

async function readManifest(plain: Readable): Promise<{ head: Manifest; database: Readable }> {
  let start: Buffer = Buffer.alloc(0)
  for await (const chunk of plain.iterator({ destroyOnReturn: false })) {
    start = Buffer.concat([start, chunk as Buffer])
    if (start.includes(0x0a) || start.length > LONGEST_MANIFEST) break
  }
  const end = start.indexOf(0x0a)
  const head = manifest.safeParse(jsonOrText(start.subarray(0, Math.max(0, end)).toString()))
  if (!head.success) throw new StartError('The file is not a backup of this app, or a newer version made it.')
  plain.unshift(start.subarray(end + 1))
  return { head: head.data, database: plain }
}

const LONGEST_MANIFEST = 65_536

const toWeb = (stream: Readable) => Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>
const fromWeb = (stream: ReadableStream<Uint8Array>) => Readable.fromWeb(stream as unknown as WebStream)

/** Throws `StartError` if a disk has less space than its files need: folder and bytes of each. */
export function assertSpace(files: readonly (readonly [folder: string, bytes: number])[]): void {
  for (const [folder] of files) {
    const { dev } = statSync(folder)
    const bytes = files.reduce((sum, [other, size]) => (statSync(other).dev === dev ? sum + size : sum), 0)
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < bytes)
      throw new StartError(
        `The disk of ${folder} needs ${Math.ceil(bytes / 1e6)} MB of free space and has ${Math.floor((bavail * bsize) / 1e6)} MB.`,
      )
  }
}

/** Deletes the files after `write`, on Ctrl-C, and at the start if a killed process left them. */
export async function withTemporaryFiles<T>(files: readonly string[], write: () => Promise<T>): Promise<T> {
  const remove = () => {
    for (const file of files) rmSync(file, { force: true })
  }
  const interrupt = (signal: NodeJS.Signals) => {
    remove()
    process.exit(128 + constants.signals[signal])
  }
  remove()
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    return await write()
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
    remove()
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
