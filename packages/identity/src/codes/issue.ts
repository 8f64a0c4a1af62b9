import type { Context } from '../contract/contract.ts'
import { newId, randomCode, randomToken } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import type { Code } from '../storage/flows/codes.ts'
import { addCode, deleteCodes, insertCode } from '../storage/flows/codes.ts'

/** The purpose of a code. */
export interface CodeTarget {
  readonly flow_id: string
  /** The recipient. */
  readonly address: string
  readonly address_id?: string
  readonly identity_id?: string
}

/** The recipient of a code or link for an identity. */
export interface ChallengeTarget {
  readonly address: string
  /** The address that entering the code verifies; absent if it verifies none. */
  readonly address_id?: string
  /** Absent if no account has the address: its code proves nothing, and is never sent. */
  readonly identity_id?: string
}

/** A code and its expiry. */
export interface IssuedCode {
  readonly code: string
  readonly expires_at: string
}

/**
 * Creates the only valid code of a flow: six digits, stored as a keyed hash. Revokes earlier codes of the flow. Call
 * inside `transact`. `lifespan` in milliseconds.
 */
export async function issueCode(ctx: Context, target: CodeTarget, lifespan?: number): Promise<IssuedCode> {
  await deleteCodes(ctx.db, target.flow_id)
  return await issueAnotherCode(ctx, target, lifespan)
}

/** Issues a code and keeps the flow's others: one per address to verify. */
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

/** A link token and its expiry. */
export interface IssuedToken {
  readonly token: string
  readonly expires_at: string
}

/**
 * Creates a link's token, which is too long to guess: earlier links to the same address stay valid. Call inside
 * `transact`. `lifespan` in milliseconds.
 */
export async function issueToken(ctx: Context, target: CodeTarget, lifespan: number): Promise<IssuedToken> {
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

/**
 * The flow id makes the hash of the same digits differ per flow, so a stolen table cannot be searched with precomputed
 * hashes.
 */
export function codeText(flowId: string, code: string): string {
  return `${flowId}:${code}`
}
