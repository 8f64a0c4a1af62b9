import { z } from 'zod'
import { type Account, listed, toAccount } from './account.ts'

export const CSV_COLUMNS = [
  'external_id',
  'state',
  'traits',
  'verified',
  'hashed_password',
  'providers',
  'metadata_public',
  'metadata_admin',
  'transfer',
] as const

type CsvRow = Readonly<Record<(typeof CSV_COLUMNS)[number], string>>

/**
 * Traits, metadata and `transfer` are JSON; verified addresses and providers (`google:123`) are separated by spaces.
 * In them, `%20` is a space, `%3A` a colon of a provider's name, and `%25` a percent sign (SEC-104).
 */
export function toCsvRow({ external_id, state, traits, verifiable_addresses, ...others }: Account): CsvRow {
  const { credentials, metadata_public, metadata_admin, transfer } = others
  const verified = (verifiable_addresses ?? []).filter((one) => one.verified)
  const providers = credentials?.oidc?.config.providers ?? []
  const password = credentials?.password?.config
  return {
    external_id: asText(external_id ?? ''),
    state: state ?? 'active',
    traits: JSON.stringify(traits),
    verified: asText(verified.map(({ value }) => escaped(value)).join(' ')),
    hashed_password: password && 'hashed_password' in password ? password.hashed_password : '',
    providers: asText(
      providers
        .map(({ provider, subject }) => `${escaped(provider).replaceAll(':', '%3A')}:${escaped(subject)}`)
        .join(' '),
    ),
    metadata_public: jsonCell(metadata_public),
    metadata_admin: jsonCell(metadata_admin),
    transfer: jsonCell(transfer),
  }
}

function jsonCell(value: unknown): string {
  return value === undefined || value === null ? '' : asText(JSON.stringify(value))
}

/**
 * A spreadsheet must not run a cell as a formula. `=` and `+` may begin an address, and `+` a phone number.
 */
function asText(cell: string): string {
  return /^['=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
}

const text = z.string().transform((cell) => cell.replace(/^'/, ''))

const row = z.object({
  external_id: text.default(''),
  state: z.string().default('active'),
  traits: z.string(),
  verified: text.default(''),
  hashed_password: z.string().default(''),
  providers: text.default(''),
  metadata_public: text.default(''),
  metadata_admin: text.default(''),
  transfer: text.default(''),
})

/** Undefined for another kind of record. Throws if its traits are not JSON. */
export function fromCsvRow(record: unknown): Account | undefined {
  const { data } = row.safeParse(record)
  if (!data) return undefined
  const { external_id, hashed_password } = data
  return toAccount({
    external_id,
    traits: z.record(z.string(), z.unknown()).parse(jsonIn(data, 'traits')),
    verified: words(data.verified).map(unescaped),
    metadata_public: jsonIn(data, 'metadata_public'),
    metadata_admin: jsonIn(data, 'metadata_admin'),
    transfer: listed.shape.transfer.parse(jsonIn(data, 'transfer')),
    active: data.state !== 'inactive',
    hashed_password,
    providers: words(data.providers).map((word) => {
      const [provider = '', ...subject] = word.split(':')
      return { provider: unescaped(provider), subject: unescaped(subject.join(':')) }
    }),
  })
}

function jsonIn(data: z.infer<typeof row>, column: keyof z.infer<typeof row>): unknown {
  try {
    return data[column] === '' ? undefined : JSON.parse(data[column])
  } catch {
    throw new Error(`the column "${column}" is not valid JSON`)
  }
}

function escaped(word: string): string {
  return word.replaceAll('%', '%25').replaceAll(' ', '%20')
}

function unescaped(word: string): string {
  return word.replaceAll('%20', ' ').replaceAll('%3A', ':').replaceAll('%25', '%')
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
