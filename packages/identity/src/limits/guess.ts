import type { Context } from '../contract/contract.ts'
import type { HashRequest } from '../crypto/passwords/hash-queue.ts'
import { queueFull } from '../crypto/passwords/hash-queue.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import type { Counted } from '../storage/limits.ts'
import { requesterOf } from './keys.ts'
import type { LimitedAction } from './limits.ts'
import { count, refund } from './limits.ts'

/**
 * Checks a guessed password, backup code or TOTP code (SEC-45). The guess is counted before it is compared,
 * and refunded if the queue was full. Returns undefined if it is wrong. If correct, the caller refunds the count
 * after sign-in, because an exhausted limit must not reveal a correct guess (SEC-13).
 */
export async function guess<Found>(
  ctx: Context,
  attempt: LimitedAction,
  check: (turn: CountedTurn) => Promise<Found | undefined>,
): Promise<{ readonly found: Found; readonly counted: Counted } | undefined> {
  let counted: Counted | undefined
  const begin = async () => {
    counted = await count(ctx, attempt)
  }
  const turn = { ...(await turnOf(ctx, attempt.identity_id)), begin }
  const found = await check(turn).catch(async (error: unknown) => {
    if (counted && error === queueFull) await refund(ctx, counted)
    throw error
  })
  if (!counted) throw new Error('a guess was compared without being counted')
  return found === undefined ? undefined : { found, counted }
}

export type CountedTurn = HashRequest & Required<Pick<HashRequest, 'begin'>>

/** Operators have no quota. */
export async function turnOf(ctx: Context, identityId?: string): Promise<HashRequest> {
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
  const own = identifiers.map((identifier) => `identifier:${identifier}`)
  return [...own, identityId === undefined ? `unproven ${own}` : `identity:${identityId}`]
}
