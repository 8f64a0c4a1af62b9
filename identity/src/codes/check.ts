import type { Context } from '../contract.ts'
import { recordRefusal } from '../events/record.ts'
import { count, withinFlow } from '../limits/limits.ts'
import type { Code } from '../storage/codes.ts'
import { listCodes } from '../storage/codes.ts'
import { messages } from '../ui/messages.ts'
import { codeText } from './issue.ts'

/** What became of a typed code. `right` is not spent yet: that belongs into the transaction that uses it. */
export type CodeCheck = { readonly kind: 'right'; readonly code: Code } | CodeRefusal

export type CodeRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired'; readonly expires_at: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'too-often' }

/** What somebody is told whose code does not count, even if it is right. */
export const rejectedCode = {
  used: messages.generic('This code was used before. Please ask for a new one.'),
  'too-often': messages.generic('There were too many wrong codes. Please start again and ask for a new one.'),
} as const

/** The MAC of no code. */
const NOBODYS = Buffer.alloc(32).toString('base64url')

export interface Guess {
  readonly flow_id: string
  /** Where the codes went, in their stored spelling, also where no account has these addresses. */
  readonly account: string | readonly string[] | undefined
  readonly typed: string
}

/**
 * Compares a typed code with those of a flow. The try is counted first, in a statement of its own: of many guesses at
 * once no more than the flow has reach the comparison (SEC-04). What else is counted never refuses a right code: other
 * callers' wrong guesses must not lock its owner out, and how many codes there are to guess at is limited by the emails
 * that go to an address. Throws `LimitReached`.
 */
export async function checkCode(ctx: Context, { flow_id, account, typed }: Guess): Promise<CodeCheck> {
  const { max_submissions } = ctx.config.selfservice.methods.code.config
  if (!(await withinFlow(ctx, flow_id, max_submissions))) {
    recordRefusal(ctx, { event: 'code_guessed', method: 'code', detail: 'too-often' })
    return { kind: 'too-often' }
  }
  const check = await compare(ctx, flow_id, typed)
  if (check.kind === 'wrong') await count(ctx, { kind: 'code', account })
  return check
}

/** The same for the token of a link: nobody guesses 190 bits, so tries are not counted. */
export async function checkToken(
  ctx: Context,
  flowId: string,
  token: string,
): Promise<Exclude<CodeCheck, { kind: 'too-often' }>> {
  return await compare(ctx, flowId, token)
}

async function compare(ctx: Context, flowId: string, typed: string) {
  const codes = await listCodes(ctx.db, flowId)
  const check = checkAmong(ctx, codes, flowId, typed)
  if (check.kind !== 'right') {
    const identity_id = codes[0]?.identity_id
    recordRefusal(ctx, { event: 'code_guessed', identity_id, method: 'code', detail: check.kind })
  }
  return check
}

function checkAmong(ctx: Context, codes: readonly Code[], flowId: string, typed: string) {
  const isTyped = (mac: string) => ctx.secrets.verifyMac('code', codeText(flowId, typed), mac)
  const code = codes.find(({ secret_mac }) => isTyped(secret_mac))
  // Where no code was sent the comparison takes its time all the same (SEC-14).
  if (codes.length === 0) isTyped(NOBODYS)
  if (!code) return { kind: 'wrong' } as const
  if (code.used_at !== undefined) return { kind: 'used' } as const
  if (code.expires_at <= ctx.now().toISOString()) {
    return { kind: 'expired', expires_at: code.expires_at } as const
  }
  return { kind: 'right', code } as const
}
