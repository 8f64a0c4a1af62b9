import type { MappedClaims } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { isObject } from '../../input/json.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import { type Claims, provenEmail, vouchedAddress } from './claims.ts'
import { kindOf } from './providers/all.ts'
import type { ProviderConfig } from './providers/provider.ts'

type Known = Partial<Pick<StoredIdentity, 'traits' | 'metadata_public' | 'metadata_admin'>>

/** Throws `ProtocolError` 500 and logs the reason if the mapper fails. */
export async function mapClaims(
  ctx: Context,
  config: ProviderConfig,
  claims: Claims,
  knownData: Known = {},
): Promise<MappedClaims> {
  const output = await run(ctx, config, claims, knownData)
  const identity = isObject(output) ? output.identity : undefined
  const traits = isObject(identity) ? identity.traits : undefined
  if (!isObject(identity) || !isObject(traits))
    throw mapperError(ctx, config, 'it returned no object identity.traits')
  const { metadata_public, metadata_admin, verified_addresses } = identity
  return {
    traits: structuredClone(traits) as JsonObject,
    ...(metadata_public === undefined ? {} : { metadata_public: metadata_public as Json }),
    ...(metadata_admin === undefined ? {} : { metadata_admin: metadata_admin as Json }),
    verified: provenAddresses(ctx, config, claims, verified_addresses),
  }
}

async function run(ctx: Context, config: ProviderConfig, claims: Claims, knownData: Known): Promise<unknown> {
  const { traits, metadata_public, metadata_admin } = knownData
  const identity = {
    traits: traits ?? {},
    metadata_public: metadata_public ?? {},
    metadata_admin: metadata_admin ?? {},
  }
  try {
    // The mapper must not change the originals.
    return await config.mapper?.(structuredClone({ claims, identity }))
  } catch (cause) {
    throw mapperError(ctx, config, 'it failed', cause)
  }
}

function mapperError(
  ctx: Context,
  { id }: ProviderConfig,
  why: string,
  cause?: unknown,
  status = 500,
): ProtocolError {
  const detail = cause instanceof Error ? { cause: cause.message } : {}
  ctx.log.warn({ provider: id, ...detail }, `the mapper of a provider cannot be used: ${why}`)
  const reason = 'This login method is misconfigured. Please log in another way, and contact support.'
  return new ProtocolError({ status, reason, cause })
}

/** Mappers decide which addresses are verified, but cannot add any for built-in providers (SEC-26). */
function provenAddresses(
  ctx: Context,
  config: ProviderConfig,
  claims: Claims,
  listed: unknown,
): readonly string[] {
  if (listed === undefined) return []
  if (!Array.isArray(listed))
    throw mapperError(ctx, config, 'it returned no list identity.verified_addresses', undefined, 400)
  const named = listed.flatMap((one) =>
    isObject(one) && typeof one.value === 'string' ? (vouchedAddress(one.value) ?? []) : [],
  )
  return kindOf(config).mapperVerifies ? named : named.filter((one) => one === provenEmail(claims))
}
