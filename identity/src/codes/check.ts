import type { Context } from '../contract.ts'
import { recordRefusal } from '../events/record.ts'
import type { Code } from '../storage/codes.ts'
import { listCodes } from '../storage/codes.ts'
import { countAttempt } from '../storage/flows.ts'
import { messages } from '../ui/messages.ts'
import { withinBudget } from './budget.ts'
import { codeText } from './issue.ts'

/** What became of a typed code. `right` is not spent yet: that belongs into the transaction that uses it. */
export type CodeCheck = { readonly kind: 'right'; readonly code: Code } | CodeRefusal

export type CodeRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired'; readonly expires_at: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'too-often' }
  /** Nothing more is compared for this address within the hour, in any flow. */
  | { readonly kind: 'exhausted' }

/** What somebody is told whose code does not count, even if it is right. */
export const noLonger = {
  used: messages.generic('This code was used before. Please ask for a new one.'),
  'too-often': messages.generic('There were too many wrong codes. Please start again and ask for a new one.'),
  exhausted: messages.generic(
    'There were too many wrong codes for this address. Please try again in an hour.',
  ),
} as const

/** The MAC of no code. */
const NOBODYS = Buffer.alloc(32).toString('base64url')

export interface Guess {
  readonly flow_id: string
  /** Where the code went, in its stored spelling, also where nobody has this address. */
  readonly address?: string | undefined
  readonly typed: string
}

/**
 * Compares a typed code with those of a flow. The try is counted first, in a statement of its own: of many
 * guesses at once no more than the limit reach the comparison (SEC-04).
 */
export async function checkCode(ctx: Context, { flow_id, address, typed }: Guess): Promise<CodeCheck> {
  const attempts = await countAttempt(ctx.db, flow_id)
  if (attempts > ctx.config.selfservice.methods.code.config.max_submissions) return { kind: 'too-often' }
  if (address !== undefined && !(await withinBudget(ctx, 'guess', address))) return { kind: 'exhausted' }
  return await compare(ctx, flow_id, typed)
}

/** The same for the token of a link: nobody guesses 190 bits, so tries are not counted. */
export async function checkToken(
  ctx: Context,
  flowId: string,
  token: string,
): Promise<Exclude<CodeCheck, { kind: 'too-often' | 'exhausted' }>> {
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
