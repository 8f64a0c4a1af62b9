import type { Context } from '../contract/contract.ts'
import { publicIdentity } from '../identities/show.ts'
import type { NotPrivileged } from '../sessions/find.ts'
import { findPrivilegedSession } from '../sessions/find.ts'
import { listEvents } from '../storage/events.ts'
import { listSessions } from '../storage/sessions/sessions.ts'
import { describeCredentials } from './credentials.ts'

const MOST_ROWS = 1000

export type ExportAnswer = { readonly kind: 'exported'; readonly data: object } | NotPrivileged

export async function exportAccount(ctx: Context, sessionId: string): Promise<ExportAnswer> {
  const found = await findPrivilegedSession(ctx, sessionId)
  if ('kind' in found) return found
  const { identity } = found
  const page = { limit: MOST_ROWS, offset: 0 }
  const sessions = await listSessions(ctx.db, { identity_id: identity.id, ...page })
  const events = await listEvents(ctx.db, identity.id, { limit: MOST_ROWS })
  const product = await ctx.product.exportData(ctx, identity.id)
  const data = {
    exported_at: ctx.now().toISOString(),
    identity: publicIdentity(ctx, identity),
    credentials: await describeCredentials(ctx, identity.id),
    sessions: sessions.map(({ identity_id: _, ...session }) => session),
    ...(product && { product }),
    events: events.map(({ identity_id: _, ...event }) => event),
  }
  return { kind: 'exported', data }
}
