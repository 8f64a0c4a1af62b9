import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { AdminClient } from '../admin/admin-client.ts'
import { StartError } from '../errors.ts'
import type { Account } from './account.ts'
import { account } from './account.ts'
import { CSV_COLUMNS, toCsvRow } from './csv-row.ts'

const FIRST_PAGE = '/identities?page_size=250&include_credential=password&include_credential=oidc'

export interface ExportCounts {
  readonly exported: number
  /** Accounts with credentials that no import takes: passkeys, authenticator apps, backup codes. */
  readonly without_second_factor: number
}

interface Work {
  readonly admin: AdminClient
  readonly file: string
  readonly onProgress: (counts: ExportCounts) => void
}

/** Writes every account, page by page. Continues where an interrupted export of the same file ended. */
export async function exportAccounts({ admin, file, onProgress }: Work): Promise<ExportCounts> {
  const write = writerOf(file)
  const progress = `${file}.progress`
  let place = existsSync(progress) ? kept(progress) : undefined
  if (!place && existsSync(file)) throw new StartError(`${file} exists already. Name another file.`)
  place ??= { next: FIRST_PAGE, bytes: 0, exported: 0, without_second_factor: 0 }
  const output = openSync(file, place.bytes > 0 ? 'r+' : 'w', 0o600)
  try {
    for (let { next } = place; next !== undefined; next = place.next) {
      ftruncateSync(output, place.bytes)
      const page = await admin.page(next)
      const accounts = z.array(listed).parse(page.items)
      const text = write(accounts.map(toImportable), place.bytes === 0)
      const length: number = writeSync(output, text, place.bytes)
      place = {
        next: page.next,
        bytes: place.bytes + length,
        exported: place.exported + accounts.length,
        without_second_factor: place.without_second_factor + accounts.filter(hasMore).length,
      }
      writeFileSync(progress, JSON.stringify(place), { mode: 0o600 })
      onProgress(place)
    }
  } finally {
    closeSync(output)
  }
  rmSync(progress)
  return place
}

const kept = (progress: string) => place.parse(JSON.parse(readFileSync(progress, 'utf8')))

const place = z.object({
  next: z.string().optional(),
  bytes: z.number(),
  exported: z.number(),
  without_second_factor: z.number(),
})

const config = z.object({
  hashed_password: z.string().optional(),
  providers: z.array(z.object({ provider: z.string(), subject: z.string() })).optional(),
})
const listed = account.omit({ credentials: true }).extend({
  id: z.string(),
  external_id: z
    .string()
    .nullish()
    .transform((id) => id || undefined),
  credentials: z.record(z.string(), z.object({ config: config.optional() })).default({}),
})

function toImportable({
  id,
  external_id = id,
  credentials,
  verifiable_addresses,
  ...rest
}: z.infer<typeof listed>): Account {
  const hashed_password = credentials.password?.config?.hashed_password
  const providers = credentials.oidc?.config?.providers ?? []
  const verified = verifiable_addresses?.filter((one) => one.verified)
  return {
    ...rest,
    external_id,
    ...(verified ? { verifiable_addresses: verified } : {}),
    credentials: {
      ...(hashed_password ? { password: { config: { hashed_password } } } : {}),
      ...(providers.length > 0
        ? {
            oidc: {
              config: { providers: providers.map(({ provider, subject }) => ({ provider, subject })) },
            },
          }
        : {}),
    },
  }
}

const MORE = ['totp', 'lookup_secret', 'webauthn', 'passkey']

function hasMore({ credentials }: z.infer<typeof listed>): boolean {
  return MORE.some((type) => type in credentials)
}

function writerOf(file: string): (accounts: readonly Account[], isFirst: boolean) => string {
  if (file.endsWith('.jsonl') || file.endsWith('.ndjson'))
    return (accounts) => accounts.map((one) => `${JSON.stringify(one)}\n`).join('')
  if (file.endsWith('.csv'))
    return (accounts, isFirst) =>
      stringify(accounts.map(toCsvRow), { header: isFirst, columns: [...CSV_COLUMNS] })
  throw new StartError(`${file} must end with .jsonl, .ndjson or .csv.`)
}
