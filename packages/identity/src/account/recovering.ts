import type { Context } from '../contract/contract.ts'
import { countFirstFactors } from '../identities/factors.ts'
import { listCredentials } from '../storage/identities/credentials.ts'
import type { StoredSession } from '../storage/sessions/sessions.ts'
import { findSession } from '../storage/sessions/sessions.ts'

/**
 * A product that requires a new password after a recovery can block the session until then. Kratos
 * does not.
 */
export async function isRecovering(ctx: Context, sessionId: string): Promise<boolean> {
  const found = await findSession(ctx.db, sessionId)
  if (!found || !isOnlyRecovered(found.session)) return false
  const { session, identity } = found
  const own = await listCredentials(ctx.db, identity.id)
  const setSince = own.filter(({ updated_at }) => updated_at > session.issued_at)
  return countFirstFactors(ctx, setSince) === 0
}

function isOnlyRecovered({ methods }: StoredSession): boolean {
  const first = methods.filter(({ aal }) => aal === 'aal1')
  return first.length > 0 && first.every(({ method }) => RECOVERIES.includes(method))
}

const RECOVERIES: readonly string[] = ['code_recovery', 'link_recovery']
