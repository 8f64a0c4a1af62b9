import { z } from 'zod'

const linked = z.object({
  provider: z.string(),
  subject: z.string(),
  organization: z.string().nullish(),
})

/** Facts that decisions read beyond Kratos' members. Its service checks it. */
const facts = z.looseObject({
  sign_up: z.object({ proven: z.boolean(), imported: z.boolean() }).nullable(),
  undo_until: z.string().nullish(),
})

/**
 * Another service does not say whether an operator created the account. Its first recovery therefore removes what
 * someone else may have set up, unless the user verified an address there (SEC-104).
 */
function factsElsewhere(isProven: boolean): z.infer<typeof facts> {
  return { sign_up: { proven: isProven, imported: true } }
}

const config = z.looseObject({
  hashed_password: z.string().optional(),
  password: z.string().optional(),
  use_password_migration_hook: z.boolean().optional(),
  providers: z.array(linked).optional(),
})

/** As Ory Kratos' admin API lists it, which has a password without a hash for accounts that have none. */
export const listed = z.object({
  id: z.string().optional(),
  schema_id: z.string().optional(),
  traits: z.record(z.string(), z.unknown(), 'is missing, or not an object'),
  state: z.enum(['active', 'inactive']).optional(),
  external_id: z
    .string()
    .nullish()
    .transform((id) => id || undefined),
  organization_id: z.string().nullish(),
  transfer: facts.optional(),
  metadata_public: z.unknown().optional(),
  metadata_admin: z.unknown().optional(),
  verifiable_addresses: z
    .array(
      z.object({
        value: z.string(),
        via: z.string(),
        verified: z.boolean(),
        status: z.string(),
        verified_at: z.string().nullish(),
      }),
    )
    .optional(),
  credentials: z.record(z.string(), z.object({ config: config.optional() })).default({}),
})

export type Listed = z.infer<typeof listed>

/** As the admin API takes it. It checks the contents. */
export interface Account extends Omit<Listed, 'id' | 'external_id' | 'credentials'> {
  readonly external_id?: string | undefined
  readonly credentials?: {
    readonly password?: {
      readonly config:
        | { readonly hashed_password: string }
        | { readonly password: string }
        | { readonly use_password_migration_hook: true }
    }
    readonly oidc?: { readonly config: { readonly providers: z.infer<typeof linked>[] } }
  }
}

const FACTORS = ['totp', 'lookup_secret', 'webauthn', 'passkey']

interface Known {
  readonly external_id: string | undefined
  readonly traits: Account['traits']
  readonly verified: readonly string[]
  readonly active: boolean
  readonly hashed_password?: string | undefined
  readonly providers?: readonly z.infer<typeof linked>[]
  readonly metadata_public?: unknown
  readonly metadata_admin?: unknown
  /** Absent for an account of another service. */
  readonly transfer?: Account['transfer']
}

export function toAccount(knownAccount: Known): Account {
  const { external_id, traits, verified, active, hashed_password, providers = [] } = knownAccount
  const { metadata_public, metadata_admin, transfer = factsElsewhere(verified.length > 0) } = knownAccount
  const addresses = verified.map((value) => ({
    value,
    via: value.includes('@') ? 'email' : 'sms',
    verified: true,
    status: 'completed',
  }))
  return {
    traits,
    state: active ? 'active' : 'inactive',
    transfer,
    ...(external_id ? { external_id } : {}),
    ...(metadata_public ? { metadata_public } : {}),
    ...(metadata_admin ? { metadata_admin } : {}),
    ...(addresses.length > 0 && { verifiable_addresses: addresses }),
    credentials: credentialsOf(hashed_password, providers),
  }
}

function credentialsOf(hashed_password: string | undefined, providers: readonly z.infer<typeof linked>[]) {
  return {
    ...(hashed_password && { password: { config: { hashed_password } } }),
    ...(providers.length > 0 && { oidc: { config: { providers: [...providers] } } }),
  }
}

/** Passkeys, an authenticator app or backup codes without their contents. */
export function lacksFactorContents({ credentials }: Pick<Listed, 'credentials'>): boolean {
  return FACTORS.some((type) => type in credentials && !hasContents(credentials[type]))
}

function hasContents(credential: Listed['credentials'][string] | undefined): boolean {
  return Object.keys(credential?.config ?? {}).length > 0
}

export function toImportable(one: Listed): Account {
  const { id, external_id = id, credentials, verifiable_addresses, ...otherFields } = one
  const { transfer = factsElsewhere(verifiable_addresses?.some((address) => address.verified) === true) } =
    one
  const { hashed_password, password, use_password_migration_hook } = credentials.password?.config ?? {}
  const providers = credentials.oidc?.config?.providers ?? []
  const verified = verifiable_addresses?.filter((address) => address.verified)
  return {
    ...otherFields,
    transfer,
    ...(external_id !== undefined && { external_id }),
    ...(verified && { verifiable_addresses: verified }),
    credentials: {
      ...(password && { password: { config: { password } } }),
      ...(use_password_migration_hook && { password: { config: { use_password_migration_hook } } }),
      ...factorsOf(credentials),
      ...credentialsOf(hashed_password, providers),
    },
  }
}

function factorsOf(credentials: Listed['credentials']) {
  const complete = FACTORS.filter((type) => hasContents(credentials[type]))
  return Object.fromEntries(complete.map((type) => [type, { config: credentials[type]?.config }]))
}
