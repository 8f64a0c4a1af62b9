import type { Context } from '../../contract/contract.ts'
import { badRequest } from '../../errors/errors.ts'
import { addProviders } from '../../identities/provider-accounts.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { stacksMarks, TOO_MANY_MARKS } from '../../input/normalise.ts'
import type { Credential, NewCredential } from '../../storage/identities/credentials.ts'
import { hashCodes, importSecondFactors, type SecondFactors } from '../../transfer/second-factors.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { CredentialsBody } from './body.ts'

interface Owner {
  readonly schema: IdentitySchema
  readonly traits: JsonObject
  readonly identity_id: string
}

export async function importCredentials(
  ctx: Context,
  { schema, traits, identity_id }: Owner,
  brought: HashedCredentials | undefined,
  existingCredentials: readonly Credential[] = [],
): Promise<NewCredential[]> {
  if (!brought) return []
  const { password, oidc, ...secondFactors } = brought
  const { identifiers } = deriveFromTraits(schema, traits)
  const credentials: NewCredential[] = []
  if (password) {
    const config = await passwordOf(ctx, password.config)
    credentials.push({ type: 'password', identifiers: identifiers.password, config })
  }
  const providers = oidc?.config?.providers ?? []
  if (providers.length > 0) {
    const entries = providers.map(({ provider, subject, organization }) => ({
      provider,
      subject,
      ...(organization === undefined ? {} : { organization }),
    }))
    credentials.push(
      addProviders(
        existingCredentials.find(({ type }) => type === 'oidc'),
        entries,
      ),
    )
  }
  const owner = { identity_id, identifiers: identifiers.webauthn }
  return [...credentials, ...(await importSecondFactors(ctx, secondFactors, owner))]
}

export type HashedCredentials = Omit<CredentialsBody, 'lookup_secret'> & Pick<SecondFactors, 'lookup_secret'>

/** Call outside a transaction: hashing is slow. */
export async function hashCredentials(
  ctx: Context,
  credentials: CredentialsBody | undefined,
): Promise<HashedCredentials | undefined> {
  if (!credentials) return undefined
  const { password, lookup_secret, ...rest } = credentials
  return {
    ...rest,
    password: password && { config: await passwordOf(ctx, password.config) },
    lookup_secret: lookup_secret && { hashed: await hashCodes(ctx, lookup_secret) },
  }
}

type PasswordBody = NonNullable<CredentialsBody['password']>['config']

async function passwordOf(ctx: Context, config: PasswordBody): Promise<JsonObject & PasswordBody> {
  if (config.use_password_migration_hook) return { use_password_migration_hook: true }
  return { hashed_password: await hashOf(ctx, config) }
}

/** Throws `ProtocolError` 400 for a hash that cannot be used. A password wins over it, as in Kratos. */
export function checkHash({ hasher }: Context, { password, hashed_password }: PasswordBody): void {
  if (password || !hashed_password || hasher.accepts(hashed_password)) return
  throw badRequest('credentials.password.config.hashed_password has an unknown format or costs too much.')
}

async function hashOf(ctx: Context, config: PasswordBody): Promise<string> {
  checkHash(ctx, config)
  const { password, hashed_password } = config
  if (!password) {
    if (hashed_password) return hashed_password
    throw badRequest('credentials.password.config requires a password.')
  }
  if (stacksMarks(password)) throw badRequest(`credentials.password.config.password: ${TOO_MANY_MARKS}`)
  return await ctx.hasher.hash(password).catch((error: unknown) => {
    throw error instanceof RangeError ? badRequest(error.message) : error
  })
}
