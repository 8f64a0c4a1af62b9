import type { Context } from '../contract.ts'
import { newId, randomCode } from '../crypto/random.ts'
import { deleteCodes, insertCode } from '../storage/codes.ts'

/** What a code is for. */
export interface CodeTarget {
  readonly flow_id: string
  /** Where it is sent. */
  readonly address: string
  readonly address_id?: string
  readonly identity_id?: string
}

/** A code and when it dies. */
export interface IssuedCode {
  readonly code: string
  readonly expires_at: string
}

/**
 * Makes the only valid code of a flow, six digits, stored as a keyed hash; to be called inside `transact`.
 * Earlier codes of the flow are gone (protocol 2, 0.8).
 */
export async function issueCode(ctx: Context, target: CodeTarget): Promise<IssuedCode> {
  await deleteCodes(ctx.db, target.flow_id)
  return await issueAnotherCode(ctx, target)
}

/** The same beside the codes that the flow has: one for each address that it proves. */
export async function issueAnotherCode(ctx: Context, target: CodeTarget): Promise<IssuedCode> {
  const now = ctx.now()
  const code = randomCode(6)
  const expires_at = new Date(
    now.getTime() + ctx.config.selfservice.methods.code.config.lifespan,
  ).toISOString()
  await insertCode(ctx.db, {
    id: newId(),
    ...target,
    secret_mac: ctx.secrets.mac('code', codeText(target.flow_id, code)),
    created_at: now.toISOString(),
    expires_at,
  })
  return { code, expires_at }
}

/** The same digits give another hash in every flow, so a stolen table cannot be searched by a list of all codes. */
export function codeText(flowId: string, code: string): string {
  return `${flowId}:${code}`
}
