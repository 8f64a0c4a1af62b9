import type { Context } from '../../contract/contract.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { hasHook } from './hooks.ts'

/** Revokes all other sessions of the user, if configured. Call inside `transact`. */
export async function revokeSessionsAfter(
  ctx: Context,
  kind: 'login' | 'settings',
  method: string,
  { session, identity }: SessionAndIdentity,
): Promise<void> {
  if (!hasHook(ctx, kind, method, 'revoke_active_sessions')) return
  await revokeAllSessions(ctx, identity.id, { except: session.id, keepsDevices: kind === 'login' })
}
