import type { SessionCredential } from '../caller.ts'
import type { Caller, Context } from '../contract.ts'
import { hashToken } from '../crypto/random.ts'
import type { SessionAndIdentity } from '../storage/sessions.ts'
import { findSessionByToken } from '../storage/sessions.ts'

/** A live session and the credential of the request that named it. */
export interface LiveSession extends SessionAndIdentity {
  readonly credential: SessionCredential
}

/**
 * The caller's live session: not revoked, not expired, of an active identity. Of several session cookies the valid one
 * counts; two valid ones of different sessions count as none, because one of them may have been planted (SEC-36).
 */
export async function findLiveSession(
  ctx: Context,
  { credential }: Pick<Caller, 'credential'>,
): Promise<LiveSession | undefined> {
  if (!credential) return undefined
  const first = await findByCredential(ctx, credential)
  if (!credential.others) return first
  const others = await Promise.all(credential.others.map((other) => findByCredential(ctx, other)))
  const live = [first, ...others].filter((found) => found !== undefined)
  return live.every(({ session }) => session.id === live[0]?.session.id) ? live[0] : undefined
}

/** Whether the caller is signed in as another user than the one that a flow is for. */
export async function isAnotherUser(
  ctx: Context,
  { identity_id }: { readonly identity_id?: string },
  caller: Caller,
): Promise<boolean> {
  const found = await findLiveSession(ctx, caller)
  return found !== undefined && found.identity.id !== identity_id
}

async function findByCredential(
  ctx: Context,
  credential: SessionCredential,
): Promise<LiveSession | undefined> {
  const found = await findSessionByToken(ctx.db, hashToken(credential.token))
  return found && isLive(ctx, found) ? { ...found, credential } : undefined
}

/** Whether a session counts at this moment. Nothing depends on the clean-up having run (SEC-06). */
export function isLive(ctx: Context, { session, identity }: SessionAndIdentity): boolean {
  return (
    session.revoked_at === undefined &&
    session.expires_at > ctx.now().toISOString() &&
    identity.state === 'active'
  )
}
