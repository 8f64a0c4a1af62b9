import type { Context } from '../contract/contract.ts'
import { NIL_ID, newId } from '../crypto/random.ts'
import { insertEvent, insertRefusal } from '../storage/events.ts'
import type { StoredSession } from '../storage/sessions/sessions.ts'
import type { Aal } from '../wire/session.ts'

interface SecurityEvent {
  readonly event: EventName
  readonly outcome: 'ok' | 'refused'
  readonly identity_id?: string | undefined
  /** Such as `password`; for an admin call its route. */
  readonly method?: string
  readonly aal?: Aal
  /** Such as the limit that was reached. Contains no user input. */
  readonly detail?: string
  /** Whose device it was, if a product acts for it. */
  readonly session?: Pick<StoredSession, 'devices'>
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

/** The log names the account; metrics have only closed lists of values. */
function report({ log, metrics, request }: Context, entry: SecurityEvent): void {
  const { event, outcome, identity_id = null, method = null, aal = null, detail } = entry
  metrics.add('identity_security_events_total', { event, outcome })
  const signIn = { method: method ?? '' }
  if (event === 'sign_in' && outcome === 'ok') metrics.add('identity_sign_ins_total', signIn)
  else if (event === 'sign_in')
    metrics.add('identity_sign_ins_refused_total', { ...signIn, reason: detail ?? 'wrong_credential' })
  const { client_address = null, request_id = null, operator } = request ?? {}
  const fields = {
    ...{ event, outcome, identity_id, client_address, method, aal, request_id },
    ...(detail === undefined ? {} : { detail }),
    ...(operator?.name === undefined ? {} : { operator: operator.name }),
  }
  log.info(fields, 'security event')
}

function toStored({ now, request }: Context, { session, ...event }: SecurityEvent, identity_id: string) {
  const device = request?.device ?? session?.devices.at(-1)
  return {
    ...event,
    id: newId(),
    identity_id,
    client_address: request?.client_address ?? '',
    user_agent: device?.user_agent ?? '',
    created_at: now().toISOString(),
  }
}

interface EventKind {
  readonly means: string
  /** Stored with the account, as activity that its owner sees. */
  readonly stored: boolean
}

/** A closed list, so that alerts can rely on the names. SECURITY.md lists it. */
export const EVENTS = {
  sign_in: { means: 'A login, re-authentication or second factor.', stored: true },
  registration: { means: 'A user created an account.', stored: true },
  code_sent: {
    means: 'A one-time code or link was queued for sending or given to an operator.',
    stored: false,
  },
  code_guessed: { means: 'A one-time code was rejected.', stored: true },
  address_verified: { means: 'A user verified an address.', stored: true },
  address_changed: { means: 'The addresses of an account changed.', stored: true },
  address_claimed: {
    means:
      'A proof of an address ended what was set up without one; `detail` says what: `account_deleted`, `address_removed` or `set_up_removed`.',
    stored: true,
  },
  credential_changed: { means: 'A credential was added, replaced or removed.', stored: true },
  session_ended: { means: 'A session was revoked; `detail` says how.', stored: true },
  deletion_requested: { means: 'A user requested deletion.', stored: true },
  deletion_cancelled: {
    means: 'The owner cancelled the deletion, or the address was proven or restored.',
    stored: true,
  },
  limit_reached: { means: 'A rate limit rejected an attempt; `detail` names its setting.', stored: false },
  admin_call: { means: 'The admin API was called; `method` is the route.', stored: false },
  recovery_by_operator: {
    means: 'An operator created a recovery code or link for an account; `method` says which.',
    stored: true,
  },
  changed_by_operator: { means: 'An operator changed an account; `method` is the route.', stored: true },
} as const satisfies Record<string, EventKind>

type EventName = keyof typeof EVENTS
