import type { Caller } from '../../caller.ts'
import type { ChallengeTarget, Context, DummyTarget } from '../../contract.ts'
import { transact } from '../../contract.ts'
import { within } from '../../limits/limits.ts'
import type { Flow, Memo } from '../../storage/flows.ts'
import { insertFlow, updateFlow } from '../../storage/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities.ts'
import { markAddressSent } from '../../storage/identities.ts'
import type { ContinueWith } from '../../wire/continue-with.ts'
import type { AuthenticationMethod } from '../../wire/session.ts'
import { stepsOf } from '../engine/cells.ts'
import { begin } from '../engine/engine.ts'
import { render } from '../engine/render.ts'
import { screenUrl } from '../engine/urls.ts'
import { verification } from '../verification/verification.ts'

/** What a verification that the service itself opens takes from the flow before it. */
export interface VerificationCause {
  readonly flow: Flow
  readonly identity: StoredIdentity
  readonly caller: Caller
  /** The secret of the browser that will see the form. */
  readonly csrf_secret: string
  readonly authentication_methods: readonly AuthenticationMethod[]
  /** What the verification remembers beside that. */
  readonly memo?: Pick<Memo, 'address_change'>
}

type Opening = Pick<VerificationCause, 'flow' | 'caller' | 'csrf_secret' | 'memo'>

/** Where the code goes: an address of the identity, or one that is not its own yet. */
type Unproven = Pick<Address, 'value'> & Partial<Pick<Address, 'id'>>

/** The form for the code, and the address that the code went to. */
export interface StartedVerification {
  readonly flow: Flow<'verification'>
  readonly address: Pick<Address, 'value'>
}

/** The first address of somebody that is not proven yet. */
export function unverifiedAddress(identity: StoredIdentity): Address | undefined {
  return identity.addresses.find(
    (address) => address.purpose === 'verification' && address.verified_at === undefined,
  )
}

/**
 * Opens a verification flow with the code already on its way; Flow, code, mail and the address'
 * status are stored together.
 */
export async function startVerification(
  ctx: Context,
  cause: VerificationCause,
  { id, value }: Unproven,
): Promise<StartedVerification> {
  const { identity, authentication_methods, memo } = cause
  const more = { identity_id: identity.id, memo: { ...memo, authentication_methods } }
  const opened = await open(ctx, cause, more)
  const own = id === undefined ? {} : { address_id: id }
  const target = { address: value, identity_id: identity.id, ...own }
  const flow = await transact(ctx, async (ctx) => {
    await insertFlow(ctx.db, opened)
    const { sent } = await challenge(ctx, opened, target)
    await updateFlow(ctx.db, sent)
    if (id !== undefined) await markAddressSent(ctx.db, id, ctx.now().toISOString())
    return sent
  })
  return { flow, address: { value } }
}

/**
 * Stores the form of a verification whose code never comes: it looks the same. The owner of the address gets what
 * `tellOwner` sends in place of a code, within what may go to an address.
 */
export async function pretendVerification(
  ctx: Context,
  cause: Opening,
  { value }: Pick<Address, 'value'>,
  tellOwner: (ctx: Context) => Promise<void>,
): Promise<StartedVerification> {
  const opened = await open(ctx, cause, cause.memo ? { memo: cause.memo } : {})
  const flow = await transact(ctx, async (ctx) => {
    const { sent, granted } = await challenge(ctx, opened, { address: value })
    await insertFlow(ctx.db, sent)
    if (granted) await tellOwner(ctx)
    return sent
  })
  return { flow, address: { value } }
}

function open(
  ctx: Context,
  { flow, caller, csrf_secret }: Opening,
  more: Partial<Flow<'verification'>>,
): Promise<Flow<'verification'>> {
  const request = { type: flow.type, request_url: followUpUrl(flow.request_url), csrf_secret }
  const fields = { active: ctx.config.selfservice.flows.verification.use, ...more }
  return begin(ctx, verification, request, { fields }, caller)
}

/** Where too much went to the address already the form is the same, and nothing is sent. */
async function challenge(
  ctx: Context,
  opened: Flow<'verification'>,
  to: ChallengeTarget | DummyTarget,
): Promise<{ readonly sent: Flow<'verification'>; readonly granted: boolean }> {
  const { use } = ctx.config.selfservice.flows.verification
  const step = stepsOf(ctx, 'verification').find(({ strategy }) => strategy.id === use)?.step
  const { address } = to
  const granted = await within(ctx, { kind: 'mail', account: address, follows: true })
  const waiting = await step?.challenge?.(ctx, opened, granted ? to : { address })
  return { sent: await render(ctx, verification, waiting ?? opened), granted }
}

/** A registration may say where its verification shall lead. */
function followUpUrl(requestUrl: string): string {
  const url = new URL(requestUrl)
  const wanted = url.searchParams.get('after_verification_return_to')
  if (wanted === null) return requestUrl
  url.searchParams.delete('after_verification_return_to')
  url.searchParams.set('return_to', wanted)
  return url.toString()
}

/** What a client is told: show the form for the code. The address of the screen is for browsers only, unless it is an error's. */
export function showVerification(
  ctx: Context,
  { flow, address }: StartedVerification,
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
