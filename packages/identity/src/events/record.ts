import type { Context } from '../contract/contract.ts'
import { NIL_ID, newId } from '../crypto/random.ts'
import type { StoredEvent } from '../storage/events.ts'
import { insertEvent, insertRefusal } from '../storage/events.ts'
import type { Aal } from '../wire/session.ts'
import type { EventName } from './catalogue.ts'
import { EVENTS } from './catalogue.ts'

export interface SecurityEvent {
  readonly event: EventName
  readonly outcome: 'ok' | 'refused'
  readonly identity_id?: string | undefined
  /** Such as `password`; for an admin call its route. */
  readonly method?: string
  readonly aal?: Aal
  /** Such as the limit that was reached. Contains no user input. */
  readonly detail?: string
}

/** Inside `transact`, takes effect with the commit. */
export async function recordEvent(ctx: Context, event: SecurityEvent): Promise<void> {
  ctx.afterCommit(() => report(ctx, event))
  const { identity_id } = event
  if (identity_id !== undefined && EVENTS[event.event].stored)
    await insertEvent(ctx.db, toStored(ctx, event, identity_id))
}

/**
 * Logs a refusal, and stores it after the response. Unknown accounts cost the same statement, so that time
 * and load do not reveal which exist (SEC-14).
 */
export function recordRefusal(ctx: Context, refusal: Omit<SecurityEvent, 'outcome'>): void {
  const event = { ...refusal, outcome: 'refused' } as const
  report(ctx, event)
  if (!EVENTS[event.event].stored) return
  const stored = toStored(ctx, event, event.identity_id ?? NIL_ID)
  ctx.background.run('security events', () =>
    insertRefusal(ctx.db, stored).catch((error: unknown) => {
      ctx.log.warn({ err: error, event: event.event }, 'a security event could not be stored')
    }),
  )
}

function report(ctx: Context, event: SecurityEvent): void {
  count(ctx, event)
  log(ctx, event)
}

/** The log names the account; metrics have only closed lists of values. */
function count(
  { metrics }: Context,
  { event, outcome, method = '', detail = 'wrong_credential' }: SecurityEvent,
): void {
  metrics.add('identity_security_events_total', { event, outcome })
  if (event !== 'sign_in') return
  if (outcome === 'ok') metrics.add('identity_sign_ins_total', { method })
  else metrics.add('identity_sign_ins_refused_total', { method, reason: detail })
}

function log(
  { log, request }: Context,
  { event, outcome, identity_id, method, aal, detail }: SecurityEvent,
): void {
  const fields = {
    event,
    outcome,
    identity_id: identity_id ?? null,
    client_address: request?.client_address ?? null,
    method: method ?? null,
    aal: aal ?? null,
    request_id: request?.request_id ?? null,
    ...(detail === undefined ? {} : { detail }),
    ...(request?.operator?.name === undefined ? {} : { operator: request.operator.name }),
  }
  log.info(fields, 'security event')
}

function toStored({ now, request }: Context, event: SecurityEvent, identity_id: string): StoredEvent {
  return {
    ...event,
    id: newId(),
    identity_id,
    client_address: request?.client_address ?? '',
    user_agent: request?.device.user_agent ?? '',
    created_at: now().toISOString(),
  }
}
