import type { Limit, LimitKind, LimitScope } from '../config/limits.ts'
import type { Context, Counted } from '../contract.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import { LimitReached } from '../errors.ts'
import { recordRefusal } from '../events/record.ts'
import type { Charge } from '../storage/limits.ts'
import { returnLimits, takeLimits } from '../storage/limits.ts'
import { messages } from '../ui/messages.ts'
import { clientOf, networkOf } from './networks.ts'

/** An action that rate limits apply to. */
export interface Attempt {
  readonly kind: LimitKind
  /** The target in normalised form, including identifiers without an account. */
  readonly account?: string | readonly string[] | undefined
  /** The target's identity: devices known to it have their own budget. */
  readonly identity_id?: string | undefined
  /** Follows from an attempt that was already counted: only the account's limit applies. */
  readonly follows?: true
}

/** A charge with the name of its limit in the configuration. */
interface NamedCharge extends Charge {
  readonly name: string
}

/**
 * Counts an attempt against every limit that applies, before anything is compared or sent (SEC-44). Throws
 * `LimitReached`; a rejected attempt is not counted and prolongs no wait. Identifiers without an account have limits
 * too, or the error would tell which exist (SEC-13).
 */
export async function count(ctx: Context, attempt: Attempt): Promise<Counted> {
  const charges = await chargesOf(ctx, attempt)
  const refusal = await takeAll(ctx, charges)
  if (!refusal) return { charges }
  const { identity_id } = attempt
  recordRefusal(ctx, { event: 'limit_reached', identity_id, detail: refusal.limit })
  throw tooMany(ctx, refusal.next_at)
}

/** The same, returning false where the caller must not learn of the rejection. */
export async function within(ctx: Context, attempt: Attempt): Promise<boolean> {
  return !(await takeAll(ctx, await chargesOf(ctx, attempt)))
}

/** Returns a counted attempt that turned out to be no guess. */
export async function forgive(ctx: Context, { charges }: Counted): Promise<void> {
  await returnLimits(ctx.db, charges)
}

/** The same for an attempt counted in an earlier request of this caller, and for `also` in the same statement. */
export async function forgiveEarlier(ctx: Context, attempt: Attempt, also?: Counted): Promise<void> {
  await returnLimits(ctx.db, [...(await chargesOf(ctx, attempt)), ...(also?.charges ?? [])])
}

/** Counts a guess at a flow's code. Returns false once the flow has no attempts left. */
export async function withinFlow(ctx: Context, flowId: string, guesses: number): Promise<boolean> {
  const charge = chargeOf(ctx, `code:flow:${flowId}`, { burst: guesses, refill: DAY_MS })
  return !(await takeAll(ctx, [{ ...charge, name: 'code.flow' }]))
}

/** Limits that only slow down, so that attempts by others cannot lock out the owner. */
const SLOWING: readonly LimitKind[] = ['password', 'code']

const SECOND_MS = 1_000
const DAY_MS = 86_400_000

async function takeAll(ctx: Context, charges: readonly NamedCharge[]) {
  if (charges.length === 0) return undefined
  const refusal = await takeLimits(ctx.db, charges, ctx.now().getTime())
  if (!refusal) return undefined
  const limit = charges.find(({ key }) => key === refusal.key)?.name ?? ''
  ctx.metrics.add('identity_limits_reached_total', { limit })
  return { ...refusal, limit }
}

async function chargesOf(ctx: Context, attempt: Attempt): Promise<NamedCharge[]> {
  const { kind, identity_id } = attempt
  const known =
    ctx.request && identity_id !== undefined && (await findKnownDevice(ctx, ctx.request, identity_id))
  const keys = known ? keysOfDevice(ctx, attempt, known) : keysOf(ctx, attempt)
  if (keys.length === 0) return []
  const limits: { readonly [Scope in LimitScope]?: Limit | 'off' } = ctx.config.limits[kind]
  return keys.flatMap(([scope, value]) => {
    const limit = limits[scope]
    if (limit === undefined || limit === 'off') return []
    const waits = scope === 'account' && SLOWING.includes(kind) ? { waits: waitsUpTo(limit.refill) } : {}
    return [{ ...chargeOf(ctx, `${kind}:${scope}:${value}`, limit), ...waits, name: `${kind}.${scope}` }]
  })
}

type Key = readonly [LimitScope, string]

/**
 * Known devices use their own budget instead of those that others can exhaust. Emails still count against the sender.
 */
function keysOfDevice(ctx: Context, attempt: Attempt, device: string): Key[] {
  const own: Key = ['account', `device:${device}:${attempt.identity_id}`]
  return attempt.kind === 'mail' ? [own, ...keysOf(ctx, { ...attempt, account: [] })] : [own]
}

function keysOf({ request }: Context, { account = [], follows }: Attempt): Key[] {
  const own = [...new Set([account].flat())].map((value) => ['account', value] as const)
  if (!request || follows) return own
  const { client_address } = request
  return [...own, ['client', clientOf(client_address)], ['network', networkOf(client_address)], ['total', '']]
}

/** Keyed hashes: the table reveals neither targets nor clients. 128 bits suffice to avoid collisions. */
function chargeOf(ctx: Context, name: string, { burst, refill }: Limit): Charge {
  return { key: ctx.secrets.mac('limit', name).slice(0, 22), burst, refill }
}

/** An account is slowed down before it is blocked: 1 s, 2 s, 4 s, … */
function waitsUpTo(longest: number): number[] {
  const waits: number[] = []
  for (let wait = SECOND_MS; wait < longest; wait *= 2) waits.push(wait)
  return [...waits, longest]
}

function tooMany(ctx: Context, next_at: number): LimitReached {
  const seconds = Math.max(1, Math.ceil((next_at - ctx.now().getTime()) / SECOND_MS))
  return new LimitReached(messages.tooManyAttempts(seconds, new Date(next_at).toISOString()), seconds)
}
