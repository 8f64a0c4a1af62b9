import type { Context } from '../contract/contract.ts'
import type { Address, StoredIdentity } from '../storage/identities/identities.ts'
import type { AdminIdentity, Identity, RecoveryAddress, VerifiableAddress } from '../wire/identity.ts'
import { schemaUrl } from './schema/schema.ts'

export function publicIdentity(ctx: Pick<Context, 'config'>, identity: StoredIdentity): Identity {
  const { metadata_admin: _, addresses, available_aal: __, ...rest } = identity
  const verifiable = addresses.filter((address) => address.purpose === 'verification')
  const recovery = addresses.filter((address) => address.purpose === 'recovery')
  return {
    ...rest,
    schema_url: schemaUrl(ctx.config.serve.public.base_url, identity.schema_id),
    ...(verifiable.length === 0 ? {} : { verifiable_addresses: verifiable.map(verifiableAddress) }),
    ...(recovery.length === 0 ? {} : { recovery_addresses: recovery.map(recoveryAddress) }),
    organization_id: identity.organization_id ?? null,
  }
}

export function adminIdentity(ctx: Pick<Context, 'config'>, identity: StoredIdentity): AdminIdentity {
  return { ...publicIdentity(ctx, identity), metadata_admin: identity.metadata_admin }
}

function verifiableAddress({ purpose: _, ...address }: Address): VerifiableAddress {
  return { ...address, verified: address.verified_at !== undefined }
}

function recoveryAddress({ id, value, via, created_at, updated_at }: Address): RecoveryAddress {
  return { id, value, via, created_at, updated_at }
}
