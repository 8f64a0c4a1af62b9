import type { Context } from '../contract/contract.ts'
import type { HashRequest } from '../crypto/passwords/hash-queue.ts'
import { queueFull } from '../crypto/passwords/hash-queue.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import type { Counted } from '../storage/limits.ts'
import type { Attempt } from './limits.ts'
import { count, refund } from './limits.ts'
import { requesterOf } from './networks.ts'

/**
 * Compares a guessed password, backup code or code of an authenticator app (SEC-45). `check` begins its turn before it
 * compares, which counts the guess. A guess that was never compared is refunded. Returns the result of `check` and the
 * count, or `undefined` if the guess was wrong. The caller refunds the count once the sign-in is complete: a limit that
 * is used up must not distinguish a correct guess (SEC-13).
 *
 * Two comparisons happen elsewhere: `codes/check.ts` counts emailed codes per flow, and `strategies/totp/settings.ts`
 * compares with a secret that its own form shows.
 */
export async function guess<Found>(
  ctx: Context,
  attempt: Attempt,
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

/** The client's share of the hash queue. Operators have no quota. */
export async function turnOf(ctx: Context, identityId?: string): Promise<HashRequest> {
  const { request } = ctx
  if (!request) return {}
  const device = await findKnownDevice(ctx, request, identityId)
  return { from: requesterOf(request.client_address), known: device && identityId }
}

/**
 * The budgets of a guessed password: one for each identifier, which keeps what was counted before an account had it and
 * after (SEC-81), and one for the account, so that several identifiers multiply no guesses (SEC-45). An identifier
 * without a proven account has a second budget of its own, at the same cost (SEC-14).
 */
export function passwordBudgets(identifiers: readonly string[], identityId: string | undefined): string[] {
  const own = identifiers.map((identifier) => `identifier:${identifier}`)
  return [...own, identityId === undefined ? `unproven ${own}` : `identity:${identityId}`]
}
