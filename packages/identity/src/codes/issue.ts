import type { Context } from '../contract/contract.ts'
import { newId, randomCode, randomToken } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import { addCode, type Code, deleteCodes, insertCode } from '../storage/flows/codes.ts'

export interface ChallengeTarget {
  readonly address: string
  readonly address_id?: string
  /** Undefined without an account; the code is then never sent. */
  readonly identity_id?: string
}

export interface CodeTarget extends ChallengeTarget {
  readonly flow_id: string
}

export interface IssuedCode {
  readonly code: string
  readonly expires_at: string
}

/**
 * Stores a keyed hash and revokes the flow's earlier codes. Call inside `transact`. `lifespan` is
 * in milliseconds.
 */
export async function issueCode(ctx: Context, target: CodeTarget, lifespan?: number): Promise<IssuedCode> {
  await deleteCodes(ctx.db, target.flow_id)
  return await issueAnotherCode(ctx, target, lifespan)
}

/** Keeps codes for other addresses. */
export async function issueAnotherCode(
  ctx: Context,
  target: CodeTarget,
  lifespan = ctx.config.selfservice.methods.code.config.lifespan,
): Promise<IssuedCode> {
  const code = randomCode(6)
  const row = rowOf(ctx, target, code, lifespan)
  await insertCode(ctx.db, row)
  await recordSent(ctx, target, 'code')
  return { code, expires_at: row.expires_at }
}

/**
 * Earlier links stay valid, because tokens cannot be guessed. Call inside `transact`. `lifespan` is
 * in milliseconds.
 */
export async function issueToken(ctx: Context, target: CodeTarget, lifespan: number) {
  const token = randomToken(32)
  const row = rowOf(ctx, target, token, lifespan)
  await addCode(ctx.db, row)
  await recordSent(ctx, target, 'link')
  return { token, expires_at: row.expires_at }
}

async function recordSent(ctx: Context, { identity_id }: CodeTarget, method: 'code' | 'link'): Promise<void> {
  await recordEvent(ctx, { event: 'code_sent', outcome: 'ok', identity_id, method })
}

function rowOf(ctx: Context, target: CodeTarget, secret: string, lifespan: number): Code {
  const now = ctx.now()
  return {
    id: newId(),
    ...target,
    secret_mac: ctx.secrets.mac('code', codeText(target.flow_id, secret)),
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + lifespan).toISOString(),
  }
}

/** The flow id makes precomputed hashes useless. */
export function codeText(flowId: string, code: string): string {
  return `${flowId}:${code}`
}
