import type { Context } from '../contract.ts'
import { updateIdentity } from '../identities/update.ts'
import type { IssuedSession } from '../sessions/issue.ts'
import { storeNew } from '../sessions/issue.ts'
import { revokeOtherSessions } from '../sessions/revoke.ts'
import { listCredentials } from '../storage/credentials.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import type { Method } from '../wire/flow.ts'

/**
 * Whoever made an account without ever proving an address of it may have done so with somebody else's: what they set
 * up to get in goes when the owner of the address comes (SEC-24). To be called inside `transact`; the sessions of
 * before are for the caller to end.
 */
export async function takeOver(ctx: Context, proven: StoredIdentity): Promise<StoredIdentity> {
  const own = await listCredentials(ctx.db, proven.id)
  const remove = own.map(({ type }) => type as Method).filter((type) => type !== 'code')
  return await updateIdentity(ctx, proven.id, { remove })
}

/** Stores a new session; where it comes with the first proof it is the only one that is left. Inside `transact`. */
export async function storeOwned(
  ctx: Context,
  before: StoredIdentity,
  issued: IssuedSession,
): Promise<IssuedSession> {
  if (!isFirstProof(ctx, before, issued.identity)) return await storeNew(ctx, issued)
  const identity = await takeOver(ctx, issued.identity)
  await revokeOtherSessions(ctx, identity.id, issued.session.id)
  return await storeNew(ctx, { ...issued, identity })
}

/** Whether an account had no proven address before and has one now. */
export function isFirstProof(ctx: Context, before: StoredIdentity, proven: StoredIdentity): boolean {
  const wasProven = before.addresses.some(({ verified_at }) => verified_at !== undefined)
  const isProven = proven.addresses.some(({ verified_at }) => verified_at !== undefined)
  return ctx.config.selfservice.flows.verification.enabled && !wasProven && isProven
}
