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
    const hashed_password = await hashOf(ctx, password.config)
    const identifiers = deriveFromTraits(schema, traits).identifiers.password
    credentials.push({ type: 'password', identifiers, config: { hashed_password } })
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
  return {
    ...credentials,
    password: { config: { hashed_password: await hashOf(ctx, credentials.password.config) } },
  }
}

async function hashOf(
  ctx: Context,
  { password, hashed_password }: NonNullable<CredentialsBody['password']>['config'],
): Promise<string> {
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
