import type { Context } from '../contract.ts'
import type { Code } from '../storage/codes.ts'
import { listCodes } from '../storage/codes.ts'
import { countAttempt } from '../storage/flows.ts'
import { messages } from '../ui/messages.ts'
import { codeText } from './issue.ts'

/** What became of a typed code. `right` is not spent yet: that belongs into the transaction that uses it. */
export type CodeCheck = { readonly kind: 'right'; readonly code: Code } | CodeRefusal

export type CodeRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired'; readonly expires_at: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'too-often' }

/** What somebody is told whose right code does not count. */
export const codeUsed = messages.generic('This code was used before. Please ask for a new one.')
export const codeTriedTooOften = messages.generic(
  'There were too many wrong codes. Please start again and ask for a new one.',
)

/**
 * Compares a typed code with those of a flow. The try is counted first, in a statement of its own: of many
 * guesses at once no more than the limit reach the comparison (SEC-04).
 */
export async function checkCode(ctx: Context, flowId: string, typed: string): Promise<CodeCheck> {
  const attempts = await countAttempt(ctx.db, flowId)
  if (attempts > ctx.config.selfservice.methods.code.config.max_submissions) return { kind: 'too-often' }
  const codes = await listCodes(ctx.db, flowId)
  const code = codes.find((one) => ctx.secrets.verifyMac('code', codeText(flowId, typed), one.secret_mac))
  if (!code) return { kind: 'wrong' }
  if (code.used_at !== undefined) return { kind: 'used' }
  if (code.expires_at <= ctx.now().toISOString()) return { kind: 'expired', expires_at: code.expires_at }
  return { kind: 'right', code }
}
