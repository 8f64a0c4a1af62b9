import type { Limit, LimitKind, LimitScope } from '../config/limits.ts'
import type { Context, SubmittedToken } from '../contract/contract.ts'
import { type HashRequest, queueFull } from '../crypto/passwords/hash-queue.ts'
import { findKnownDevice, findUserKey } from '../devices/known-device.ts'
import { FormError, LimitReached, WrongProof } from '../errors/errors.ts'
import { recordRefusal } from '../events/record.ts'
import { isLoopback } from '../input/host.ts'
import type { CountedAttempt } from '../storage/limits.ts'
import { messages } from '../ui/messages.ts'
import { clientOf, mailboxOf, networkOf, requesterOf } from './keys.ts'
import { type LeasedCharge, refundLeased, takeLeased } from './leases.ts'

export interface LimitedAction {
  readonly kind: LimitKind
  /** Normalised. Also without an account. */
  readonly account?: string | readonly string[] | undefined
  /** Its sessions and known devices have their own budget. */
  readonly identity_id?: string | undefined
  /** The user who triggers an email to an address they have not verified (SEC-71). */
  readonly sender?: string | undefined
  /** A follow-up to a counted attempt: only the account's limit applies. */
  readonly follows?: true
}

interface NamedCharge extends LeasedCharge {
  readonly name: `${LimitKind}.${LimitScope}`
  readonly scope: LimitScope
  readonly value: string
}

/**
 * Call before comparing or sending anything (SEC-44). Throws `LimitReached`. A rejected attempt is not
 * counted and does not extend the wait. Unknown identifiers are limited too, because the difference would
 * reveal accounts (SEC-13).
 */
export async function countAttempt(ctx: Context, attempt: LimitedAction): Promise<CountedAttempt> {
  const charged = await chargeWithFallbacks(ctx, attempt)
  if ('charges' in charged) return charged
  const { identity_id } = attempt
  recordRefusal(ctx, { event: 'limit_reached', identity_id, detail: `limits.${charged.limit}` })
  throw tooMany(ctx, charged.next_at)
}

/** Returns false instead of throwing, for callers that must not reveal the rejection. */
export async function tryCount(ctx: Context, attempt: LimitedAction): Promise<boolean> {
  return 'charges' in (await chargeWithFallbacks(ctx, attempt))
}

/** Refunds an attempt that made no guess. */
export async function refund(ctx: Context, { charges }: CountedAttempt): Promise<void> {
  await refundLeased(ctx, charges)
}

/** Refunds if the work fails, unless the failure must look like a wrong guess (SEC-13). */
export async function refundOnFailure<Result>(
  ctx: Context,
  countedAttempt: CountedAttempt | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (countedAttempt && !(error instanceof WrongProof)) await refund(ctx, countedAttempt)
    throw error
  }
}

/**
 * Refunds an earlier request, always from the shared limits, because that request did not record whether a
 * fallback was charged.
 */
export async function refundEarlier(ctx: Context, attempt: LimitedAction): Promise<void> {
  await refundLeased(ctx, chargesOf(ctx, attempt))
}

export async function tryCountInFlow(ctx: Context, flowId: string, guesses: number): Promise<boolean> {
  const charge = chargeOf(ctx, `code:flow:${flowId}`, { burst: guesses, refill: DAY_MS })
  return !(await takeAll(ctx, [{ ...charge, name: 'code.flow' }]))
}

/** Throws `FormError` if the token signed a user in before. Refund it if this attempt fails. */
export async function countToken(ctx: Context, { content, lifetime }: SubmittedToken) {
  const charge = chargeOf(ctx, `token:${content}`, { burst: 1, refill: lifetime })
  if (await takeLeased(ctx, [charge])) throw new FormError(messages.generic(TOKEN_USED))
  return { charges: [charge] }
}

const TOKEN_USED = 'This token was already used to log in. Please log in at the provider again.'

/**
 * Checks a guessed password, backup code or TOTP code (SEC-45). The guess is counted before it is compared,
 * and refunded if the queue was full. Returns undefined if it is wrong. If correct, the caller refunds the count
 * after sign-in, because an exhausted limit must not reveal a correct guess (SEC-13).
 */
export async function compareCounted<Found>(
  ctx: Context,
  attempt: LimitedAction,
  check: (turn: CountedTurn) => Promise<Found | undefined>,
): Promise<{ readonly match: Found; readonly countedAttempt: CountedAttempt } | undefined> {
  let countedAttempt: CountedAttempt | undefined
  const begin = async () => {
    countedAttempt = await countAttempt(ctx, attempt)
  }
  const turn = { ...(await hashRequestFor(ctx, attempt.identity_id)), begin }
  const match = await check(turn).catch(async (error: unknown) => {
    if (countedAttempt && error === queueFull) await refund(ctx, countedAttempt)
    throw error
  })
  if (!countedAttempt) throw new Error('a guess was compared without being counted')
  return match === undefined ? undefined : { match, countedAttempt }
}

export type CountedTurn = HashRequest & Required<Pick<HashRequest, 'begin'>>

/** Operators have no quota. */
export async function hashRequestFor(ctx: Context, identityId?: string): Promise<HashRequest> {
  const { request } = ctx
  if (!request) return {}
  const device = await findKnownDevice(ctx, request, identityId)
  return { from: requesterOf(request.client_address), known: device && identityId }
}

/**
 * The identifier's budget carries over when an account adds the identifier (SEC-81). The account's budget
 * keeps several identifiers from multiplying guesses (SEC-45). An identifier without a verified account gets
 * a second budget, so that it costs the same (SEC-14).
 */
export function passwordBudgets(identifiers: readonly string[], identityId: string | undefined): string[] {
  const perIdentifier = identifiers.map((identifier) => `identifier:${identifier}`)
  return [...perIdentifier, identityId === undefined ? `unproven ${perIdentifier}` : `identity:${identityId}`]
}

/** These limits only slow down, so that attackers cannot lock out the owner. */
const PROGRESSIVE_DELAY_KINDS: readonly LimitKind[] = ['password', 'code']

/** Counted across all spellings of an inbox's address. */
const PER_MAILBOX_KINDS: readonly LimitKind[] = ['mail', 'notice', 'registration']

const LEASED_SCOPES: readonly LimitScope[] = ['client', 'network', 'total']
/** Share of a limit's burst that a process may hold (docs/limits.md). */
const LEASE_SHARE = 1 / 50

const SECOND_MS = 1_000
const DAY_MS = 86_400_000

/**
 * Every limit that strangers share is backed by one that they cannot exhaust (SEC-67, SEC-68,
 * SEC-69). An accepted attempt costs at most one statement.
 */
async function chargeWithFallbacks(ctx: Context, attempt: LimitedAction): Promise<CountedAttempt | Refusal> {
  const charges = chargesOf(ctx, attempt)
  const refusal = await takeAll(ctx, charges)
  if (!refusal) return { charges }
  let { next_at } = refusal
  for (const fallback of [
    await ownCharges(ctx, attempt),
    fallbackCharges(ctx, attempt, charges, refusal.keys),
  ]) {
    if (!fallback) continue
    const again = await takeAll(ctx, fallback)
    if (!again) return { charges: fallback }
    next_at = Math.min(next_at, again.next_at)
  }
  return { limit: refusal.limit, next_at }
}

interface Refusal {
  readonly limit: string
  readonly next_at: number
}

async function takeAll(ctx: Context, charges: readonly (LeasedCharge & { readonly name: string })[]) {
  if (charges.length === 0) return undefined
  const refusal = await takeLeased(ctx, charges)
  if (!refusal) return undefined
  const limit = charges.find(({ key }) => key === refusal.key)?.name ?? ''
  ctx.metrics.add('identity_limits_reached_total', { limit })
  return { ...refusal, limit }
}

function chargesOf(ctx: Context, { kind, account = [], sender, follows }: LimitedAction): NamedCharge[] {
  const values = [account]
    .flat()
    .map((value) => (PER_MAILBOX_KINDS.includes(kind) ? mailboxOf(value) : value))
  const charges = [...new Set(values)].flatMap((value) => namedCharge(ctx, kind, 'account', value))
  if (sender !== undefined) charges.push(...namedCharge(ctx, kind, 'own', sender))
  if (!ctx.request || follows) return charges
  const { client_address } = ctx.request
  // Tests and demos sign up many users from one machine.
  if (kind === 'registration' && ctx.config.dev && isLoopback(client_address ?? '')) return charges
  return [
    ...charges,
    ...namedCharge(ctx, kind, 'client', clientOf(client_address)),
    ...namedCharge(ctx, kind, 'network', networkOf(client_address)),
    ...namedCharge(ctx, kind, 'total', ''),
  ]
}

/**
 * A session or known device has its own budget instead of the shared limits. It belongs to the identity,
 * because a budget per session would grow with each sign-in.
 */
async function ownCharges(ctx: Context, attempt: LimitedAction): Promise<NamedCharge[] | undefined> {
  const { kind, account, identity_id, follows } = attempt
  if (!ctx.request || follows || !limitOf(ctx, kind, 'own')) return undefined
  const owner =
    account === undefined
      ? await findUserKey(ctx, ctx.request)
      : (await findKnownDevice(ctx, ctx.request, identity_id)) && identity_id
  return owner === undefined ? undefined : namedCharge(ctx, kind, 'own', owner)
}

/**
 * The share of the caller's network, which the busiest exhaust first, instead of an account's
 * limits and the total. Undefined if nothing can replace them.
 */
function fallbackCharges(
  ctx: Context,
  { kind }: LimitedAction,
  charges: readonly NamedCharge[],
  exhausted: readonly string[],
): NamedCharge[] | undefined {
  if (!ctx.request) return undefined
  const network = networkOf(ctx.request.client_address)
  const spare: NamedCharge[] = []
  for (const charge of charges) {
    const { scope, value } = charge
    if (!exhausted.includes(charge.key)) spare.push(charge)
    else if (scope === 'account' && limitOf(ctx, kind, 'allowance')) {
      spare.push(...namedCharge(ctx, kind, 'allowance', `${network}:${value}`))
      spare.push(...namedCharge(ctx, kind, 'allowances', value))
    } else if (scope === 'total' && limitOf(ctx, kind, 'reserve')) {
      spare.push(...namedCharge(ctx, kind, 'reserve', network))
      // All reserves together equal the total, so spreading over networks gains nothing.
      spare.push(...namedCharge(ctx, kind, 'total', 'reserves'))
    } else return undefined
  }
  return spare
}

function limitOf({ config }: Context, kind: LimitKind, scope: LimitScope): Limit | undefined {
  const limits: { readonly [Scope in LimitScope]?: Limit | 'off' } = config.limits[kind]
  const limit = limits[scope]
  return limit === 'off' ? undefined : limit
}

/** Empty if the limit is off. */
function namedCharge(ctx: Context, kind: LimitKind, scope: LimitScope, value: string): NamedCharge[] {
  const limit = limitOf(ctx, kind, scope)
  if (!limit) return []
  const slows = PROGRESSIVE_DELAY_KINDS.includes(kind) && (scope === 'account' || scope === 'own')
  const waits = slows ? { waits: waitsUpTo(limit.refill) } : {}
  const lease = LEASED_SCOPES.includes(scope) ? { lease: Math.floor(limit.burst * LEASE_SHARE) } : {}
  const charge = chargeOf(ctx, `${kind}:${scope}:${value}`, limit)
  return [{ ...charge, ...waits, ...lease, name: `${kind}.${scope}`, scope, value }]
}

/** Keyed hashes hide targets and clients. */
function chargeOf(ctx: Context, name: string, { burst, refill }: Limit): LeasedCharge {
  return { key: ctx.secrets.mac('limit', name).slice(0, 22), burst, refill }
}

/** 1 s, 2 s, 4 s, … */
function waitsUpTo(longest: number): number[] {
  const waits: number[] = []
  for (let wait = SECOND_MS; wait < longest; wait *= 2) waits.push(wait)
  return [...waits, longest]
}

function tooMany(ctx: Context, next_at: number): LimitReached {
  const seconds = Math.max(1, Math.ceil((next_at - ctx.now().getTime()) / SECOND_MS))
  return new LimitReached(messages.tooManyAttempts(seconds, new Date(next_at).toISOString()), seconds)
}
