import { z } from 'zod'
import type { Account } from './account.ts'
import { account, linked } from './account.ts'

const config = z.object({
  hashed_password: z.string().optional(),
  /** Only in bodies for an import. */
  password: z.string().optional(),
  providers: z.array(linked).optional(),
})

/** An account in a list of the admin API. Ory Kratos lists a password without a hash for accounts that have none. */
export const listed = account.omit({ credentials: true }).extend({
  id: z.string().optional(),
  external_id: z
    .string()
    .nullish()
    .transform((id) => id || undefined),
  credentials: z.record(z.string(), z.object({ config: config.optional() })).default({}),
})

export type Listed = z.infer<typeof listed>

/** Converts it to a body for an import, where its id becomes an external one. */
export function toImportable(one: Listed): Account {
  const { id, external_id = id, credentials, verifiable_addresses, ...rest } = one
  const { hashed_password, password } = credentials.password?.config ?? {}
  const providers = credentials.oidc?.config?.providers ?? []
  const verified = verifiable_addresses?.filter((address) => address.verified)
  return {
    ...rest,
    ...(external_id === undefined ? {} : { external_id }),
    ...(verified ? { verifiable_addresses: verified } : {}),
    credentials: {
      ...(hashed_password ? { password: { config: { hashed_password } } } : {}),
      ...(!hashed_password && password ? { password: { config: { password } } } : {}),
      ...(providers.length > 0 ? { oidc: { config: { providers } } } : {}),
    },
  }
}
