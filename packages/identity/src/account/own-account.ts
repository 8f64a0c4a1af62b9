import type { Context } from '../contract/contract.ts'
import { countFirstFactors } from '../identities/factors.ts'
import { publicIdentity } from '../identities/show.ts'
import { findPrivilegedSession, sessionState } from '../sessions/find.ts'
import { listEvents } from '../storage/events.ts'
import { findDueDate } from '../storage/identities/account-deletions.ts'
import { listAddressChanges } from '../storage/identities/address-changes.ts'
import { listCredentials } from '../storage/identities/credentials.ts'
import { findSession, listSessions, type StoredSession } from '../storage/sessions/sessions.ts'
import { describeCredentials, renamePasskey } from './credentials.ts'
import { cancelDeletionBy, requestDeletion } from './deletion.ts'

export type OwnAccount = ReturnType<typeof ownAccount>

/** The caller must authenticate the owner. */
export function ownAccount(ctx: () => Context) {
  return {
    credentials: (identity_id: string) => describeCredentials(ctx(), identity_id),
    renamePasskey: (identity_id: string, id: string, name: string) =>
      renamePasskey(ctx(), identity_id, id, name),
    exportAll: (session_id: string) => exportAccount(ctx(), session_id),
    requestDeletion: (session_id: string) => requestDeletion(ctx(), session_id),
    deletionDue: (identity_id: string) => findDueDate(ctx().db, identity_id),
    cancelDeletion: (session_id: string) => cancelDeletionBy(ctx(), session_id),
    /** True until the user of a recovery session sets a credential. */
    isRecovering: (session_id: string) => isRecovering(ctx(), session_id),
    sessionActivity: (identity_id: string) => sessionActivity(ctx(), identity_id),
  }
}

const MOST_ROWS = 1000

async function exportAccount(ctx: Context, sessionId: string) {
  const foundSession = await findPrivilegedSession(ctx, sessionId)
  if ('kind' in foundSession) return foundSession
  const { identity } = foundSession
  const page = { limit: MOST_ROWS, offset: 0 }
  const sessions = await listSessions(ctx.db, { identity_id: identity.id, ...page })
  const events = await listEvents(ctx.db, identity.id, { limit: MOST_ROWS })
  const product = await ctx.product.exportData(ctx, identity.id)
  const data = {
    exported_at: ctx.now().toISOString(),
    identity: publicIdentity(ctx, identity),
    address_changes: await listAddressChanges(ctx.db, identity.id),
    credentials: await describeCredentials(ctx, identity.id),
    sessions: sessions.map(({ identity_id: _, ...session }) => session),
    ...(product && { product }),
    events: events.map(({ identity_id: _, ...event }) => event),
  }
  return { kind: 'exported', data } as const
}

/**
 * A product that requires a new password after a recovery can block the session until then. Kratos
 * does not.
 */
async function isRecovering(ctx: Context, sessionId: string): Promise<boolean> {
  const foundSession = await findSession(ctx.db, sessionId)
  if (!foundSession || !isOnlyRecovered(foundSession.session)) return false
  const { session, identity } = foundSession
  const credentials = await listCredentials(ctx.db, identity.id)
  const setSince = credentials.filter(({ updated_at }) => updated_at > session.issued_at)
  return countFirstFactors(ctx, setSince) === 0
}

function isOnlyRecovered({ methods }: StoredSession): boolean {
  const first = methods.filter(({ aal }) => aal === 'aal1')
  return first.length > 0 && first.every(({ method }) => RECOVERIES.includes(method))
}

const RECOVERIES: readonly string[] = ['code_recovery', 'link_recovery']

/** The last use by session id, to the minute. Not part of the protocol. */
async function sessionActivity(ctx: Context, identity_id: string): Promise<Readonly<Record<string, string>>> {
  const sessions = await listSessions(ctx.db, {
    identity_id,
    ...sessionState(ctx, 'live'),
    limit: MOST_SESSIONS,
    offset: 0,
  })
  return Object.fromEntries(
    sessions.map(({ id, last_active_at, authenticated_at }) => [id, last_active_at ?? authenticated_at]),
  )
}

/** Exceeds the maximum of sessions per account. */
const MOST_SESSIONS = 250
