import type { Context } from '../contract.ts'
import { publicIdentity } from '../identities/show.ts'
import { listEvents } from '../storage/events.ts'
import { findIdentity } from '../storage/identities.ts'
import { listSessions } from '../storage/sessions.ts'
import { describeCredentials } from './credentials.ts'

const MOST_ROWS = 1000

/** All stored data of an account for its owner, without internal values such as hashes. */
export async function exportAccount(ctx: Context, identityId: string): Promise<object | undefined> {
  const identity = await findIdentity(ctx.db, identityId)
  if (!identity) return undefined
  const page = { limit: MOST_ROWS, offset: 0 }
  const sessions = await listSessions(ctx.db, { identity_id: identityId, ...page })
  const events = await listEvents(ctx.db, identityId, { limit: MOST_ROWS })
  return {
    exported_at: ctx.now().toISOString(),
    identity: publicIdentity(ctx, identity),
    credentials: await describeCredentials(ctx, identityId),
    sessions: sessions.map(({ identity_id: _, ...session }) => session),
    events: events.map(({ identity_id: _, ...event }) => event),
  }
}
