import type { Evidence, LinkOffer } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import type { ProviderTokens } from '../../identities/provider-accounts.ts'
import {
  ownerNotes,
  providerIdentifier,
  providersOf,
  sealTokens,
} from '../../identities/provider-accounts.ts'
import { isHiddenSetUp } from '../../identities/unproven-set-up.ts'
import type { FoundCredential, HeldCredential } from '../../storage/identities/credentials.ts'
import { findCredential } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { type Claims, provenEmail } from './claims.ts'
import { labelOf, type ProviderConfig } from './providers/provider.ts'

interface Known {
  readonly provider: Pick<ProviderConfig, 'id' | 'label'>
  readonly claims: Claims
  readonly tokens: ProviderTokens
}

/** Does not match by address (SEC-26). */
async function findUser(
  ctx: Context,
  { provider, claims }: Pick<Known, 'provider' | 'claims'>,
): Promise<FoundCredential | undefined> {
  return await findCredential(ctx.db, 'oidc', providerIdentifier(accountOf(provider, claims)))
}

/**
 * Undefined for an account that never proved an address, unless it is the `own` one. A taken address gets no account,
 * so finding this one would reveal that its address was free (SEC-111).
 */
export async function findRevealedUser(
  ctx: Context,
  account: Pick<Known, 'provider' | 'claims'>,
  own?: string,
): Promise<FoundCredential | undefined> {
  const foundUser = await findUser(ctx, account)
  if (!foundUser || foundUser.identity_id === own) return foundUser
  return (await isHiddenSetUp(ctx, foundUser)) ? undefined : foundUser
}

/** The account must still be connected. */
export function evidenceOf(
  credential: HeldCredential,
  { provider, claims }: Pick<Known, 'provider' | 'claims'>,
): Evidence {
  const identifier = providerIdentifier(accountOf(provider, claims))
  const use = (config: JsonObject) =>
    providersOf({ config }).some((one) => providerIdentifier(one) === identifier) ? config : undefined
  return { kind: 'entry', credential, identifier, use, refusal: messages.invalidCredentials }
}

export function entryOf(ctx: Context, { provider, claims, tokens }: Known): JsonObject {
  return {
    ...accountOf(provider, claims),
    ...sealTokens(ctx, tokens),
    ...ownerNotes(claims, ctx.now().toISOString()),
  }
}

export function offerOf(ctx: Context, account: Known & { readonly provider: ProviderConfig }): LinkOffer {
  return {
    provider: account.provider.id,
    label: labelOf(account.provider),
    entry: entryOf(ctx, account),
    email: provenEmail(account.claims),
  }
}

function accountOf({ id }: Known['provider'], { sub }: Claims): JsonObject {
  return { provider: id, subject: String(sub) }
}
