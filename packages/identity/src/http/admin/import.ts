import type { Context } from '../../contract/contract.ts'
import { isImportableHash } from '../../crypto/passwords/password-import.ts'
import { addProviders } from '../../identities/provider-accounts.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { stacksMarks, TOO_MANY_MARKS } from '../../input/normalise.ts'
import type { Credential, NewCredential } from '../../storage/identities/credentials.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { CredentialsBody } from './body.ts'
import { badRequest } from './body.ts'

export async function importCredentials(
  ctx: Context,
  schema: IdentitySchema,
  traits: JsonObject,
  brought: CredentialsBody | undefined,
  before: readonly Credential[] = [],
): Promise<NewCredential[]> {
  const { password, oidc } = brought ?? {}
  const credentials: NewCredential[] = []
  if (password) {
    const config = await passwordOf(ctx, password.config)
    const identifiers = deriveFromTraits(schema, traits).identifiers.password
    credentials.push({ type: 'password', identifiers, config })
  }
  const providers = oidc?.config?.providers ?? []
  if (providers.length > 0) {
    const added = providers.map(({ provider, subject, organization }) => ({
      provider,
      subject,
      ...(organization === undefined ? {} : { organization }),
    }))
    credentials.push(
      addProviders(
        before.find(({ type }) => type === 'oidc'),
        added,
      ),
    )
  }
  return credentials
}

/** Call outside a transaction: hashing is slow. */
export async function hashPassword(
  ctx: Context,
  credentials: CredentialsBody | undefined,
): Promise<CredentialsBody | undefined> {
  if (!credentials?.password) return credentials
  return { ...credentials, password: { config: await passwordOf(ctx, credentials.password.config) } }
}

type PasswordBody = NonNullable<CredentialsBody['password']>['config']

async function passwordOf(ctx: Context, config: PasswordBody): Promise<JsonObject & PasswordBody> {
  if (config.use_password_migration_hook) return { use_password_migration_hook: true }
  return { hashed_password: await hashOf(ctx, config) }
}

async function hashOf(ctx: Context, { password, hashed_password }: PasswordBody): Promise<string> {
  if (hashed_password) {
    if (isImportableHash(hashed_password)) return hashed_password
    throw badRequest('credentials.password.config.hashed_password has an unknown format.')
  }
  if (!password) throw badRequest('credentials.password.config requires a password.')
  if (stacksMarks(password)) throw badRequest(`credentials.password.config.password: ${TOO_MANY_MARKS}`)
  return await ctx.hasher.hash(password).catch((error: unknown) => {
    throw error instanceof RangeError ? badRequest(error.message) : error
  })
}
