import { withinBudget } from '../../codes/budget.ts'
import { issueToken } from '../../codes/issue.ts'
import type { ChallengeTarget, Context } from '../../contract.ts'
import { transact } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import { normaliseIdentifier } from '../../identities/traits.ts'
import { deleteCodes } from '../../storage/codes.ts'
import type { Flow } from '../../storage/flows.ts'
import { findAddress } from '../../storage/identities.ts'

type Kind = 'recovery' | 'verification'

/**
 * Mails a link to the owner of an address. Nothing that the caller sees tells whether there is one (SEC-13), or
 * whether the budget of the address is used up (SEC-03). `and` joins the transaction where a mail goes out.
 */
export async function sendLink(
  ctx: Context,
  flow: Flow<Kind>,
  typed: string,
  and: (ctx: Context, target: ChallengeTarget) => Promise<void> = async () => {},
): Promise<void> {
  const address = normaliseIdentifier('code', typed)
  const known = await findAddress(ctx.db, flow.kind, 'email', address)
  const granted = await withinBudget(ctx, 'send', address)
  await transact(ctx, async (ctx) => {
    // A link that went elsewhere is dead from now on: the form speaks of another address (SEC-02).
    if (flow.memo.code?.address !== typed) await deleteCodes(ctx.db, flow.id)
    if (!granted) return
    if (!known) return await tellStranger(ctx, flow.kind, typed)
    const target = { address: known.value, address_id: known.id, identity_id: known.identity_id }
    await mailLink(ctx, flow, target)
    await and(ctx, target)
  })
}

/**
 * The mail goes to the address as it is stored, never as it was typed (SEC-07). A link dies with its flow at the
 * latest, and the mail says so.
 */
export async function mailLink(ctx: Context, flow: Flow<Kind>, target: ChallengeTarget): Promise<void> {
  const left = Date.parse(flow.expires_at) - ctx.now().getTime()
  const lifespan = Math.min(ctx.config.selfservice.methods.link.config.lifespan, left)
  const { token, expires_at } = await issueToken(ctx, { flow_id: flow.id, ...target }, lifespan)
  await queueMail(ctx, {
    template_type: `${flow.kind}_valid`,
    recipient: target.address,
    data: { url: linkUrl(ctx, flow, token), expires_in_minutes: Math.ceil(lifespan / 60_000) },
    expires_at,
  })
}

function linkUrl(ctx: Context, { kind, id }: Flow<Kind>, token: string): string {
  const base = ctx.config.selfservice.methods.link.config.base_url ?? ctx.config.serve.public.base_url
  return `${base.replace(/\/$/, '')}/self-service/${kind}?${new URLSearchParams({ flow: id, token })}`
}

async function tellStranger(ctx: Context, kind: Kind, typed: string): Promise<void> {
  if (!ctx.config.selfservice.flows[kind].notify_unknown_recipients) return
  await queueMail(ctx, { template_type: `${kind}_invalid`, recipient: typed, data: {} })
}
