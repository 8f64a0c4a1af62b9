import type { Context } from '../contract.ts'
import type { Turn } from '../crypto/hash-queue.ts'
import { QueueFull } from '../crypto/hash-queue.ts'
import { findKnownDevice } from '../devices/known-device.ts'
import type { Attempt, Counted } from './limits.ts'
import { count, forgive } from './limits.ts'
import { clientOf } from './networks.ts'

/**
 * Compares a guess at a password or a code: the one way to do so (SEC-45). `check` begins its turn before it compares,
 * and that counts the guess; one that was right or never compared is given back. Returns what `check` found, undefined
 * where nothing.
 */
export async function guess<Found>(
  ctx: Context,
  attempt: Attempt,
  check: (turn: CountedTurn) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let counted: Counted | undefined
  const begin = async () => {
    counted = await count(ctx, attempt)
  }
  const turn = { ...(await turnOf(ctx, attempt.identity_id)), begin }
  const found = await check(turn).catch(async (error: unknown) => {
    if (counted && error instanceof QueueFull) await forgive(ctx, counted)
    throw error
  })
  if (!counted) throw new Error('a guess was compared and not counted')
  if (found !== undefined) await forgive(ctx, counted)
  return found
}

export type CountedTurn = Turn & Required<Pick<Turn, 'begin'>>

/** The share of this request's client in the hashes of this machine. Operators have none. */
export async function turnOf(ctx: Context, identityId?: string): Promise<Turn> {
  const { request } = ctx
  if (!request) return {}
  const device = identityId === undefined ? undefined : await findKnownDevice(ctx, request, identityId)
  return { client: clientOf(request.client_address), known: device !== undefined }
}
