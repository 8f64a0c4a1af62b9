import type { Context } from '../contract/contract.ts'
import { recordRefusal } from '../events/record.ts'
import { addressChange } from '../identities/addresses/address-change.ts'
import { countAttempt, refund, tryCountInFlow } from '../limits/limits.ts'
import { type Code, listCodes } from '../storage/flows/codes.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { messages } from '../ui/messages.ts'
import { codeText } from './issue.ts'

/** A transaction that uses a `right` code must consume it. */
export type CodeCheck = { readonly kind: 'right'; readonly code: Code } | CodeRefusal

export type CodeRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'expired'; readonly expires_at: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'too-often' }

/** For correct codes that are rejected anyway. */
export const rejectedCode = {
  used: messages.generic('This code was already used. Please request a new one.'),
  'too-often': messages.generic('Too many incorrect codes. Please start again and request a new one.'),
} as const

const DUMMY_MAC = Buffer.alloc(32).toString('base64url')

export interface Guess {
  readonly flow_id: string
  /** Normalized recipients, also without an account. */
  readonly account: string | readonly string[] | undefined
  readonly typedCode: string
  /** Not in the account's activity: a taken address gets no code, so a list with guesses would reveal a free one. */
  readonly isUnlisted?: boolean
}

/**
 * Counts the attempt first, in its own statement, so that concurrent guesses cannot exceed the flow's limit
 * (SEC-04). A correct code is refunded. A caller who guessed at many accounts has to wait with it (SEC-124); what
 * others guessed at this account does not reject it, because they must not lock out the owner. Throws
 * `LimitReached`.
 */
export async function checkCode(
  ctx: Context,
  { flow_id, account, typedCode, isUnlisted = false }: Guess,
): Promise<CodeCheck> {
  const countedAttempt = await countAttempt(ctx, { kind: 'code' })
  const { max_submissions } = ctx.config.selfservice.methods.code.config
  if (!(await tryCountInFlow(ctx, flow_id, max_submissions))) {
    recordRefusal(ctx, { event: 'code_guessed', method: 'code', detail: 'too-often' })
    return { kind: 'too-often' }
  }
  const codes = await listCodes(ctx.db, flow_id)
  const check = checkAmong(ctx, codes, flow_id, typedCode)
  if (check.kind !== 'right') {
    const identity_id = isUnlisted ? undefined : codes[0]?.identity_id
    recordRefusal(ctx, { event: 'code_guessed', identity_id, method: 'code', detail: check.kind })
  }
  if (check.kind === 'wrong') await countAttempt(ctx, { kind: 'code', account, follows: true })
  else await refund(ctx, countedAttempt)
  return check
}

/**
 * Not counted, because 190 bits cannot be guessed. Not recorded, because one IPv6 network could
 * store a row per address (FLT-23).
 */
export async function checkToken(ctx: Context, flowId: string, token: string): Promise<Compared> {
  return checkAmong(ctx, await listCodes(ctx.db, flowId), flowId, token)
}

type Compared = Exclude<CodeCheck, { kind: 'too-often' }>

function checkAmong(ctx: Context, codes: readonly Code[], flowId: string, typed: string): Compared {
  const isTyped = (mac: string) => ctx.secrets.verifyMac('code', codeText(flowId, typed), mac)
  const code = codes.find(({ secret_mac }) => isTyped(secret_mac))
  // Takes the same time without a code (SEC-14).
  if (codes.length === 0) isTyped(DUMMY_MAC)
  if (!code) return { kind: 'wrong' }
  if (code.used_at !== undefined) return { kind: 'used' }
  const now = ctx.now().toISOString()
  if (code.expires_at <= now) return { kind: 'expired', expires_at: code.expires_at }
  // A clock set back would extend the code's life (FLT-12).
  const isFromFuture = Date.parse(code.created_at) > ctx.now().getTime() + SKEW_MS
  if (isFromFuture) return { kind: 'expired', expires_at: now }
  return { kind: 'right', code }
}

/** Maximum clock skew between replicas. */
const SKEW_MS = 60_000

export function proofOf(flow: Flow<'verification'>, { id, identity_id, address_id }: Code) {
  if (identity_id === undefined) return undefined
  const consume = { code_id: id }
  if (addressChange.read(flow)) return { identity_id, consume }
  return address_id === undefined ? undefined : { identity_id, address_id, consume }
}
