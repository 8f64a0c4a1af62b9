import { lastRecipient } from '../../codes/memo.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { pretendMail } from '../../courier/queue.ts'
import { LimitReached } from '../../errors/errors.ts'
import { countAttempt } from '../../limits/limits.ts'
import { type Flow, type FlowBound, insertFlow } from '../../storage/flows/flows.ts'
import type { Memo } from '../../storage/flows/memo.ts'
import { type Address, markAddressSent, type StoredIdentity } from '../../storage/identities/identities.ts'
import type { ContinueWith } from '../../wire/flow.ts'
import { openerToken } from '../form/csrf.ts'
import { newFlow } from '../form/new-flow.ts'
import { render } from '../form/render.ts'
import { fixedMethod, stepsOf } from '../form/steps.ts'
import { screenUrl } from '../form/urls.ts'

export interface VerificationCause {
  readonly flow: Pick<Flow, 'type' | 'request_url'>
  readonly identity: StoredIdentity
  readonly caller: Caller
  readonly bound: FlowBound
  readonly csrf_secret?: string | undefined
  readonly memo?: Memo
  /** Limits count the user who entered the address (SEC-71). */
  readonly sender?: string
}

type Opening = Pick<VerificationCause, 'flow' | 'caller' | 'bound' | 'csrf_secret' | 'memo' | 'sender'>

type Unproven = Pick<Address, 'value'> & Partial<Pick<Address, 'id'>>

export interface StartedVerification {
  readonly flow: Flow<'verification'>
  readonly address: Pick<Address, 'value'>
  /** False if the email limit was reached; the form then shows a message. */
  readonly granted: boolean
}

export interface ShownVerification {
  readonly flow: Pick<Flow, 'id' | 'type'>
  readonly address: Pick<Address, 'value'>
}

export function unverifiedAddress(identity: StoredIdentity): Address | undefined {
  return identity.addresses.find(
    (address) => address.purpose === 'verification' && address.verified_at === undefined,
  )
}

/**
 * Stores flow, code, email and address status together. Throws `LimitReached` if a `sender` has caused too
 * many emails.
 */
export async function startVerification(
  ctx: Context,
  cause: VerificationCause,
  { id, value }: Unproven,
): Promise<StartedVerification> {
  const identity_id = cause.identity.id
  const openedFlow = await openVerification(ctx, cause, value, { identity_id })
  const target = { address: value, identity_id, address_id: id }
  return await transact(ctx, async (ctx) => {
    const started = await storeForm(ctx, cause, value, openedFlow)
    if (started.granted) await stepFor(ctx)?.challenge?.(ctx, started.flow, target)
    if (id !== undefined) await markAddressSent(ctx.db, { id, now: ctx.now().toISOString() })
    return started
  })
}

export function withSentTo(ctx: Context, identity: StoredIdentity, address: Address): StoredIdentity {
  const sentAddress = { ...address, status: 'sent' as const, updated_at: ctx.now().toISOString() }
  return { ...identity, addresses: identity.addresses.map((one) => (one === address ? sentAddress : one)) }
}

/**
 * Stores an identical form, but sends no code. `tellOwner` notifies the owner within the email limits and
 * returns the message id. Both take the work of one email (SEC-78).
 */
export async function pretendVerification(
  ctx: Context,
  cause: Opening,
  { value }: Pick<Address, 'value'>,
  tellOwner: (ctx: Context) => Promise<string | undefined>,
): Promise<StartedVerification> {
  const opened = await openVerification(ctx, cause, value)
  return await transact(ctx, async (ctx) => {
    const startedFlow = await storeForm(ctx, cause, value, opened)
    if (!startedFlow.granted) return startedFlow
    const challenge = async (ctx: Context, mails: boolean) =>
      await stepFor(ctx)?.challenge?.(ctx, startedFlow.flow, { address: value }, mails)
    if ((await tellOwner(ctx)) !== undefined) await challenge(ctx, false)
    else await pretendMail(ctx, (ctx) => challenge(ctx, true))
    return startedFlow
  })
}

/** A limit is shown in the form. Throws it if a `sender` requested the email. */
async function storeForm(ctx: Context, cause: Opening, value: string, openedFlow: Flow<'verification'>) {
  const limited = await countMail(ctx, cause, value)
  const flow = limited
    ? await render(ctx, { ...openedFlow, memo: { ...openedFlow.memo, messages: limited.entries } })
    : openedFlow
  await insertFlow(ctx.db, flow, cause.bound)
  return { flow, address: { value }, granted: !limited }
}

async function openVerification(
  ctx: Context,
  { flow: { type, request_url }, caller, csrf_secret, memo = {} }: Opening,
  address: string,
  knownOwner: { readonly identity_id?: string } = {},
): Promise<Flow<'verification'>> {
  const request = { type, request_url: followUpUrl(request_url), csrf_secret }
  const fields = {
    ...fixedMethod(ctx, 'verification'),
    memo: { ...memo, ...lastRecipient.entry({ address }) },
    ...knownOwner,
  }
  const flow = await newFlow(ctx, 'verification', request, { fields }, caller)
  return openerToken.write(flow, flow.csrf_token)
}

function stepFor(ctx: Context) {
  const { use } = ctx.config.selfservice.flows.verification
  return stepsOf(ctx, 'verification').find(({ strategy }) => strategy.id === use)?.step
}

async function countMail(ctx: Context, { sender }: Opening, address: string) {
  try {
    await countAttempt(ctx, { kind: 'mail', account: address, sender, follows: true })
    return undefined
  } catch (error) {
    if (error instanceof LimitReached && sender === undefined) return error
    throw error
  }
}

function followUpUrl(requestUrl: string): string {
  const url = new URL(requestUrl)
  const returnTo = url.searchParams.get('after_verification_return_to')
  if (returnTo === null) return requestUrl
  url.searchParams.delete('after_verification_return_to')
  url.searchParams.set('return_to', returnTo)
  return url.toString()
}

/** For `continue_with`: a hook shows the page, or Kratos' legacy flag mentions it anyway. */
export function mentionedVerification(
  ctx: Context,
  verification: ShownVerification | undefined,
  isShown: boolean,
): ContinueWith[] {
  const { legacy_continue_with_verification_ui: always } = ctx.config.feature_flags
  return verification && (isShown || always)
    ? [showVerification(ctx, verification, { always_url: false })]
    : []
}

/** Only browsers get the page's URL, except in errors. */
export function showVerification(
  ctx: Context,
  { flow, address }: ShownVerification,
  options: { readonly always_url: boolean },
): ContinueWith {
  const url = screenUrl(ctx, 'verification', flow.id)
  return {
    action: 'show_verification_ui',
    flow: {
      id: flow.id,
      verifiable_address: address.value,
      ...(flow.type === 'browser' || options.always_url ? { url } : {}),
    },
  }
}
