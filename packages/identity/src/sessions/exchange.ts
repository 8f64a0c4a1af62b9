import type { Context } from '../contract/contract.ts'
import { hashToken, randomToken } from '../crypto/random.ts'
import { ProtocolError } from '../errors/errors.ts'
import { memoPart } from '../storage/flows/memo.ts'
import { completeExchange, insertExchange, takeExchange } from '../storage/sessions/session-exchanges.ts'
import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'
import { findSession } from '../storage/sessions/sessions.ts'
import { isLive } from './find.ts'

export const exchangeId = memoPart<string>('exchange_id')

const PURPOSE = 'session exchange'
/** Lasts as long as an authorization, plus time for the app to fetch the session. */
const LIFETIME_MS = 20 * 60_000

export async function openExchange(ctx: Context, id: string, flow_id: string): Promise<string> {
  const init_code = newCode()
  await insertExchange(ctx.db, { id, flow_id, init_code_hash: hashToken(init_code), expires_at: end(ctx) })
  return init_code
}

/** Returns the code that the browser passes to the app, or `undefined` if expired. */
export async function keepForExchange(
  ctx: Context,
  id: string,
  { session_id, token }: { readonly session_id: string; readonly token: string },
): Promise<string | undefined> {
  const code = newCode()
  const kept = {
    session_id,
    token: ctx.secrets.encrypt(PURPOSE, token),
    return_to_code_hash: hashToken(code),
    expires_at: end(ctx),
  }
  return (await completeExchange(ctx.db, id, kept, ctx.now().toISOString())) ? code : undefined
}

/** Works once. Throws 404. */
export async function redeemExchange(
  ctx: Context,
  init_code: string,
  return_to_code: string,
): Promise<SessionAndIdentity & { readonly token: string }> {
  const hashes = { init_code_hash: hashToken(init_code), return_to_code_hash: hashToken(return_to_code) }
  const taken = await takeExchange(ctx.db, hashes, ctx.now().toISOString())
  const found = taken && (await findSession(ctx.db, taken.session_id))
  if (!taken || !found || !isLive(ctx, found)) {
    throw new ProtocolError({
      status: 404,
      reason: 'These codes are invalid or were already used. Please sign in again.',
    })
  }
  return { ...found, token: ctx.secrets.decrypt(PURPOSE, taken.token) }
}

function newCode(): string {
  return randomToken(64)
}

function end(ctx: Context): string {
  return new Date(ctx.now().getTime() + LIFETIME_MS).toISOString()
}
