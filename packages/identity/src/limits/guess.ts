import type { Context } from '../contract/contract.ts'
import type { HashRequest } from '../crypto/passwords/hash-queue.ts'
import { queueFull } from '../crypto/passwords/hash-queue.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import type { Counted } from '../storage/limits.ts'
import type { Attempt } from './limits.ts'
import { count, forgive } from './limits.ts'
import { requesterOf } from './networks.ts'

/**
 * Compares a guessed password or code: the only way to do so (SEC-45). `check` begins its turn before it compares,
 * which counts the guess; one that was not compared is returned. Returns the result of `check`, undefined if it failed,
 * and what was counted. The caller returns that once the guess has succeeded in every respect: a limit that is used up
 * or not must not tell a correct guess from a wrong one where the answers do not (SEC-13).
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
    if (counted && error === queueFull) await forgive(ctx, counted)
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
