import type { Caller, Context } from '../contract.ts'
import { hashToken } from '../crypto/random.ts'
import type { SessionAndIdentity } from '../storage/sessions.ts'
import { findSessionByToken } from '../storage/sessions.ts'

/** The live session of whoever asks: not revoked, not over, of an active identity. */
export async function findLiveSession(
  ctx: Context,
  caller: Pick<Caller, 'credential'>,
): Promise<SessionAndIdentity | undefined> {
  if (!caller.credential) return undefined
  const found = await findSessionByToken(ctx.db, hashToken(caller.credential.token))
  return found && isLive(ctx, found) ? found : undefined
}

/** Whether a session counts at this moment. Nothing depends on the clean-up having run (SEC-06). */
export function isLive(ctx: Context, { session, identity }: SessionAndIdentity): boolean {
  return (
    session.revoked_at === undefined &&
    session.expires_at > ctx.now().toISOString() &&
    identity.state === 'active'
  )
}
