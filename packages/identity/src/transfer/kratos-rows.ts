import { z } from 'zod'
import type { KratosRow } from '../storage/kratos-database.ts'
import type { JsonObject } from '../wire/identity.ts'

/** In UTC, up to nanoseconds. PostgreSQL omits the zone. */
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?(\+00(:00)?)?$/, 'is not a time in UTC')
  .transform((text) => new Date(`${text.slice(0, 23).replace(/\+.*/, '')}Z`).toISOString())

/** SQLite has numbers. */
const truth = z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true')

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message may quote a secret.
    context.addIssue({ code: 'custom', message: 'is not valid JSON' })
    return z.NEVER
  }
})

const object = json.pipe(z.record(z.string(), z.json())).transform((value) => value as JsonObject)
const metadata = z
  .string()
  .nullable()
  .transform((text) => text ?? 'null')
  .pipe(json)
  .pipe(z.json())

const stored = { id: z.string(), created_at: time, updated_at: time }
const address = { ...stored, via: z.enum(['email', 'sms']), value: z.string() }

export const rows = {
  identities: z.object({
    ...stored,
    schema_id: z.string(),
    traits: object,
    state: z.enum(['active', 'inactive']),
    state_changed_at: time.nullable(),
    metadata_public: metadata,
    metadata_admin: metadata,
    external_id: z.string().nullable(),
    organization_id: z.string().nullable(),
  }),
  identity_credentials: z.object({ ...stored, type: z.string(), config: object }),
  identity_credential_identifiers: z.object({ identity_credential_id: z.string(), identifier: z.string() }),
  identity_verifiable_addresses: z.object({
    ...address,
    status: z.enum(['pending', 'sent', 'completed']),
    verified: truth,
    verified_at: time.nullable(),
  }),
  identity_recovery_addresses: z.object(address),
  sessions: z.object({
    id: z.string(),
    token: z.string(),
    aal: z.enum(['aal1', 'aal2']),
    authentication_methods: json.pipe(
      z.array(
        z.object({
          method: z.enum([
            ...['password', 'code', 'oidc', 'totp', 'lookup_secret', 'webauthn', 'passkey'],
            ...['code_recovery', 'link_recovery'],
          ] as const),
          aal: z.enum(['aal1', 'aal2']),
          completed_at: z.string(),
          provider: z.string().optional(),
        }),
      ),
    ),
    issued_at: time,
    authenticated_at: time,
    expires_at: time,
  }),
  session_devices: z.object({
    id: z.string(),
    session_id: z.string(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    location: z.string().nullable(),
  }),
}

/** `config` of a credential, by its type. */
export const configs = {
  password: z.object({
    hashed_password: z.string().optional(),
    use_password_migration_hook: z.boolean().optional(),
  }),
  oidc: z.object({
    providers: z
      .array(z.object({ provider: z.string(), subject: z.string(), organization: z.string().optional() }))
      .default([]),
  }),
}

/** Reports a row that cannot be kept. */
export type Drop = (table: string, id: string, reason: string) => void

export type Parsed<T extends keyof typeof rows> = z.infer<(typeof rows)[T]>

export function parseRows<T extends keyof typeof rows>(
  table: T,
  givenRows: readonly KratosRow[],
  drop: Drop,
): Parsed<T>[] {
  return givenRows.flatMap((row) => {
    const { data, error } = rows[table].safeParse(row)
    if (data) return [data as Parsed<T>]
    drop(table, row.id ?? '', reasonOf(error))
    return []
  })
}

export function reasonOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}
