import type { Context } from '../contract/contract.ts'
import { recordEvent } from '../events/record.ts'
import { type FoundCredential, findCredential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import { findIdentity, lockAddresses, lockIdentity } from '../storage/identities/identities.ts'
import { findSignUp } from '../storage/identities/sign-ups.ts'
import { hasProof, requiresProof } from './addresses/proof.ts'
import { deleteAccount } from './delete.ts'

// With enumeration mitigation, registering a taken address by a provider stores nothing. A free one makes an
// account, whose provider account is treated as unknown until an address is verified (SEC-111).

export async function isHiddenSetUp(ctx: Context, { identity_id, proven }: FoundCredential) {
  if (proven || !ctx.config.security.account_enumeration.mitigate || !requiresProof(ctx, 'oidc')) return false
  return await isUnprovenSetUp(ctx, await findIdentity(ctx.db, identity_id))
}

/** Lets the provider's user register or connect elsewhere. Call inside `transact`, before storing. */
export async function releaseProviders(
  ctx: Context,
  credentials: readonly { readonly type: string; readonly identifiers: readonly string[] }[],
): Promise<void> {
  const ownProviders = credentials.filter(({ type }) => type === 'oidc')
  for (const identifier of ownProviders.flatMap(({ identifiers }) => identifiers)) {
    const storedCredential = await findCredential(ctx.db, 'oidc', identifier)
    if (storedCredential && (await isHiddenSetUp(ctx, storedCredential)))
      await release(ctx, storedCredential.identity_id)
  }
}

async function release(ctx: Context, identity_id: string): Promise<void> {
  await lockIdentity(ctx.db, identity_id)
  // The holder may be verifying one now.
  await lockAddresses(ctx.db, identity_id)
  const holder = await findIdentity(ctx.db, identity_id)
  if (!holder || !(await isUnprovenSetUp(ctx, holder))) return
  await recordEvent(ctx, { event: 'address_claimed', outcome: 'ok', identity_id, detail: 'account_deleted' })
  await deleteAccount(ctx, holder)
}

/** Operators' accounts keep their providers. Deleting a deactivated one would let its user register again. */
async function isUnprovenSetUp(ctx: Context, identity: StoredIdentity | undefined): Promise<boolean> {
  if (identity?.state !== 'active' || hasProof(identity)) return false
  const signUp = await findSignUp(ctx.db, identity.id)
  return signUp !== undefined && !signUp.proven
}
