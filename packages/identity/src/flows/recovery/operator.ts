import { issueCode, issueToken } from '../../codes/issue.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { recordEvent } from '../../events/record.ts'
import { type Flow, insertFlow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { FlowType } from '../../wire/flow.ts'
import type { FlowStart } from '../form/decision.ts'
import { newFlow } from '../form/new-flow.ts'
import { render } from '../form/render.ts'
import { screenUrl } from '../form/urls.ts'

/** `request_url` is the operator's. The lifespan is in milliseconds. */
export interface OperatorRecovery {
  readonly identity: StoredIdentity
  readonly type: FlowType
  readonly lifespan: number
  readonly request_url: string
}

export interface HandedOver {
  /** Absolute URL. */
  readonly recovery_link: string
  readonly expires_at: string
}

/** For a user who cannot read their email. Verifies no address. */
export async function handOverCode(
  ctx: Context,
  { identity, ...recovery }: OperatorRecovery,
  caller: Caller,
): Promise<HandedOver & { readonly recovery_code: string }> {
  const opened = await openFor(ctx, { active: 'code', memo: { by_operator: true } }, recovery, caller)
  // Any browser may enter the code.
  const flow = await render(ctx, { ...opened, csrf_token: '', state: 'sent_email' })
  const { code, expires_at } = await transact(ctx, async (ctx) => {
    await insertFlow(ctx.db, flow, 'operator')
    await record(ctx, identity, 'code')
    return await issueCode(ctx, targetOf(flow, identity), recovery.lifespan)
  })
  return { recovery_link: screenUrl(ctx, 'recovery', flow.id), recovery_code: code, expires_at }
}

/** Signs in anyone who opens it. */
export async function handOverLink(
  ctx: Context,
  { identity, ...recovery }: OperatorRecovery,
  caller: Caller,
): Promise<HandedOver> {
  const flow = await openFor(ctx, { active: 'link' }, recovery, caller)
  const { token, expires_at } = await transact(ctx, async (ctx) => {
    await insertFlow(ctx.db, flow, 'operator')
    await record(ctx, identity, 'link')
    return await issueToken(ctx, targetOf(flow, identity), recovery.lifespan)
  })
  const query = new URLSearchParams({ flow: flow.id, token })
  return { recovery_link: publicUrl(ctx, `/self-service/recovery?${query}`), expires_at }
}

async function openFor(
  ctx: Context,
  fields: FlowStart<'recovery'>['fields'] & object,
  { type, lifespan, request_url }: Omit<OperatorRecovery, 'identity'>,
  caller: Caller,
): Promise<Flow<'recovery'>> {
  const flow = await newFlow(ctx, 'recovery', { type, request_url }, { fields }, caller)
  return { ...flow, expires_at: new Date(ctx.now().getTime() + lifespan).toISOString() }
}

/** Shows the owner that someone else can access the account. */
async function record(ctx: Context, { id }: StoredIdentity, method: 'code' | 'link'): Promise<void> {
  await recordEvent(ctx, { event: 'recovery_by_operator', outcome: 'ok', identity_id: id, method })
}

function targetOf(flow: Flow<'recovery'>, { id }: StoredIdentity) {
  return { flow_id: flow.id, address: '', identity_id: id }
}
