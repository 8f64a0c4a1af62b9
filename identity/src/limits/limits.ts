import type { Limit, LimitKind, LimitScope } from '../config/limits.ts'
import type { Context } from '../contract.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import { LimitReached } from '../errors.ts'
import { recordRefusal } from '../events/record.ts'
import type { Charge } from '../storage/limits.ts'
import { returnLimits, takeLimits } from '../storage/limits.ts'
import { messages } from '../ui/messages.ts'
import { clientOf, networkOf } from './networks.ts'

/** Something that can be tried again and again. */
export interface Attempt {
  readonly kind: LimitKind
  /** What it is aimed at, in its normalised spelling, also where no account has it. */
  readonly account?: string | readonly string[] | undefined
  /** Whose account that is: a device that is known to it has a budget of its own. */
  readonly identity_id?: string | undefined
  /** It follows from an attempt that was counted: only the account's limit holds. */
  readonly follows?: true
}

/** What was counted: `forgive` gives it back. */
export interface Counted {
  readonly charges: readonly Charge[]
}

/** A charge with the name of its limit in the configuration. */
interface NamedCharge extends Charge {
  readonly name: string
}

/**
 * Counts an attempt against every limit that it falls under, before anything is compared or sent (SEC-44). Throws
 * `LimitReached`; what is refused is not counted and prolongs no wait. Accounts that do not exist have limits too, or
 * the refusal would tell which do (SEC-13).
 */
export async function count(ctx: Context, attempt: Attempt): Promise<Counted> {
  const charges = await chargesOf(ctx, attempt)
  const refusal = await takeAll(ctx, charges)
  if (!refusal) return { charges }
  const { identity_id } = attempt
  recordRefusal(ctx, { event: 'limit_reached', identity_id, detail: nameOf(charges, refusal.key) })
  throw tooMany(ctx, refusal.next_at)
}

/** The same where a refusal is not told to anyone. */
export async function within(ctx: Context, attempt: Attempt): Promise<boolean> {
  return !(await takeAll(ctx, await chargesOf(ctx, attempt)))
}

/** Gives back what was counted: the attempt was no guess after all. */
export async function forgive(ctx: Context, { charges }: Counted): Promise<void> {
  await returnLimits(ctx.db, charges)
}

/** The same for something that was counted in an earlier request of this caller. */
export async function forgiveEarlier(ctx: Context, attempt: Attempt): Promise<void> {
  await returnLimits(ctx.db, await chargesOf(ctx, attempt))
}

/** Counts a guess at what a flow has sent. Whether it is right is compared only while the flow has guesses left. */
export async function withinFlow(ctx: Context, flowId: string, guesses: number): Promise<boolean> {
  const charge = chargeOf(ctx, `code:flow:${flowId}`, { burst: guesses, refill: DAY_MS })
  return !(await takeAll(ctx, [charge]))
}

/** What an owner must not be shut out of by the attempts of others. */
const SLOWING: readonly LimitKind[] = ['password', 'code']

const SECOND_MS = 1_000
const DAY_MS = 86_400_000

async function takeAll(ctx: Context, charges: readonly Charge[]) {
  return charges.length === 0 ? undefined : await takeLimits(ctx.db, charges, ctx.now().getTime())
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

/** The owner's own budget, in place of those that others can use up. Emails are still counted for who sends them. */
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

/** Keyed hashes: the table tells neither who was attacked nor from where. 128 bits are enough to tell them apart. */
function chargeOf(ctx: Context, name: string, { burst, refill }: Limit): Charge {
  return { key: ctx.secrets.mac('limit', name).slice(0, 22), burst, refill }
}

function nameOf(charges: readonly NamedCharge[], key: string): string {
  return charges.find((charge) => charge.key === key)?.name ?? ''
}

/** An account is slowed down before it is shut: a second, two, four, … */
function waitsUpTo(longest: number): number[] {
  const waits: number[] = []
  for (let wait = SECOND_MS; wait < longest; wait *= 2) waits.push(wait)
  return [...waits, longest]
}

function tooMany(ctx: Context, next_at: number): LimitReached {
  const seconds = Math.max(1, Math.ceil((next_at - ctx.now().getTime()) / SECOND_MS))
  return new LimitReached(messages.tooManyAttempts(seconds, new Date(next_at).toISOString()), seconds)
}
