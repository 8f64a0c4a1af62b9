import type { Context } from '../../contract.ts'
import { providerIdentifier } from '../../identities/providers.ts'
import type { Credential } from '../../storage/credentials.ts'
import { findCredential } from '../../storage/credentials.ts'
import type { LinkOffer } from '../../storage/flows.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { Claims } from './claims.ts'
import { labelOf } from './providers/all.ts'
import type { ProviderConfig } from './providers/provider.ts'

interface Known {
  readonly provider: Pick<ProviderConfig, 'id' | 'label'>
  readonly claims: Claims
}

/** Whoever signed in with this account before: by provider and subject, never by an address (SEC-26). */
export async function findPerson(ctx: Context, known: Known): Promise<Credential | undefined> {
  return await findCredential(ctx.db, 'oidc', providerIdentifier(entryOf(known)))
}

/** What is stored of an account at a provider. Its tokens are not: nothing here needs them. */
export function entryOf({ provider, claims }: Known): JsonObject {
  return {
    provider: provider.id,
    subject: String(claims.sub),
    initial_id_token: '',
    initial_access_token: '',
    initial_refresh_token: '',
  }
}

export function offerOf(known: Known & { readonly provider: ProviderConfig }): LinkOffer {
  return { provider: known.provider.id, label: labelOf(known.provider), entry: entryOf(known) }
}
