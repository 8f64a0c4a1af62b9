import type { Context } from '../contract/contract.ts'
import { hashToken, randomToken } from '../crypto/random.ts'
import { STORED_PURPOSES } from '../crypto/secrets.ts'
import { ProtocolError } from '../errors/errors.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import {
  completeExchange,
  findExchange,
  holdExchange,
  insertExchange,
  redeemExchange as redeemStored,
} from '../storage/sessions/session-exchanges.ts'
import { findSession } from '../storage/sessions/sessions.ts'
import type { Method } from '../wire/flow.ts'
import { isLive } from './find.ts'

export const exchangeId = storedFlowField<string>('exchange_id')

const PURPOSE = STORED_PURPOSES.session_exchange
/** Lasts as long as an authorization, plus time for the app to fetch the session. */
const LIFETIME_MS = 20 * 60_000
/** An app that lost the response asks again. */
const RETRY_MS = 60_000

export async function openExchange(ctx: Context, id: string): Promise<string> {
  const init_code = randomToken(64)
  await insertExchange(ctx.db, {
    id,
    init_code_hash: hashToken(init_code),
    expires_at: later(ctx, LIFETIME_MS),
  })
  return init_code
}

/** Returns the code that the browser passes to the app, or `undefined` if expired. */
export async function keepForExchange(
  ctx: Context,
  id: string,
  { session_id, token }: { readonly session_id: string; readonly token: string },
  code = randomToken(64),
): Promise<string | undefined> {
  const stored = {
    session_id,
    token: ctx.secrets.encrypt(PURPOSE, token),
    return_to_code_hash: hashToken(code),
    expires_at: later(ctx, LIFETIME_MS),
  }
  return (await completeExchange(ctx.db, id, stored, ctx.now().toISOString())) ? code : undefined
}

export interface HeldProof {
  readonly flow_id: string
  readonly method: Method
  readonly proof: object
}

/** Like `keepForExchange`, but the app's redemption completes the registration. */
export async function holdForExchange(ctx: Context, id: string, heldProof: HeldProof) {
  const code = randomToken(64)
  const stored = {
    token: ctx.secrets.encrypt(PURPOSE, JSON.stringify(heldProof)),
    return_to_code_hash: hashToken(code),
    expires_at: later(ctx, LIFETIME_MS),
  }
  return (await holdExchange(ctx.db, id, stored, ctx.now().toISOString())) ? code : undefined
}

export interface ExchangeCodes {
  readonly init_code: string
  readonly return_to_code: string
}

export async function findHeld(ctx: Context, codes: ExchangeCodes) {
  const stored = await findExchange(ctx.db, hashesOf(codes), ctx.now().toISOString())
  if (!stored?.token || stored.session_id) return undefined
  return { id: stored.id, ...(JSON.parse(ctx.secrets.decrypt(PURPOSE, stored.token)) as HeldProof) }
}

function hashesOf({ init_code, return_to_code }: ExchangeCodes) {
  return { init_code_hash: hashToken(init_code), return_to_code_hash: hashToken(return_to_code) }
}

/** Works for a minute after the first use. Throws 404. */
export async function redeemExchange(ctx: Context, codes: ExchangeCodes) {
  const period = { now: ctx.now().toISOString(), end: later(ctx, RETRY_MS) }
  const stored = await redeemStored(ctx.db, hashesOf(codes), period)
  const foundSession = stored && (await findSession(ctx.db, stored.session_id))
  if (!stored || !foundSession || !isLive(ctx, foundSession)) {
    throw new ProtocolError({
      status: 404,
      reason: 'These codes are invalid or were already used. Please log in again.',
    })
  }
  return { ...foundSession, token: ctx.secrets.decrypt(PURPOSE, stored.token) }
}

function later(ctx: Context, ms: number): string {
  return new Date(ctx.now().getTime() + ms).toISOString()
}
