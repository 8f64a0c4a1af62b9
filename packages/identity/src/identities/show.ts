import type { Context } from '../contract/contract.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { AdminIdentity, Identity } from '../wire/identity.ts'
import { schemaUrl } from './schema/schema.ts'

export function publicIdentity(ctx: Pick<Context, 'config'>, identity: StoredIdentity): Identity {
  const { metadata_admin: _, addresses, available_aal: __, ...rest } = identity
  const verifiable = addresses
    .filter(({ purpose }) => purpose === 'verification')
    .map(({ purpose: _, ...address }) => ({ ...address, verified: address.verified_at !== undefined }))
  const recovery = addresses
    .filter(({ purpose }) => purpose === 'recovery')
    .map(({ id, value, via, created_at, updated_at }) => ({ id, value, via, created_at, updated_at }))
  return {
    ...rest,
    schema_url: schemaUrl(ctx.config.serve.public.base_url, identity.schema_id),
    ...(verifiable.length === 0 ? {} : { verifiable_addresses: verifiable }),
    ...(recovery.length === 0 ? {} : { recovery_addresses: recovery }),
    organization_id: identity.organization_id ?? null,
  }
}

export function adminIdentity(ctx: Pick<Context, 'config'>, identity: StoredIdentity): AdminIdentity {
  return { ...publicIdentity(ctx, identity), metadata_admin: identity.metadata_admin }
}
