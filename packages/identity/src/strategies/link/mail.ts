import type { ChallengeTarget } from '../../codes/issue.ts'
import { issueToken } from '../../codes/issue.ts'
import { mailOwner } from '../../codes/mail-owner.ts'
import { below } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { queueMail } from '../../courier/queue.ts'
import type { Flow } from '../../storage/flows/flows.ts'

type Kind = 'recovery' | 'verification'

/** The response does not reveal whether an account has the address (SEC-13). */
export async function sendLink(ctx: Context, flow: Flow<Kind>, typed: string): Promise<void> {
  await mailOwner(ctx, flow, typed, {
    owner: (ctx, target) => mailLink(ctx, flow, target),
    unknownRecipient: `${flow.kind}_invalid`,
  })
}

/** Sends to the stored address, never to the typed one (SEC-07). */
export async function mailLink(
  ctx: Context,
  flow: Flow<Kind>,
  target: ChallengeTarget,
  mails = true,
): Promise<string | undefined> {
  const left = Date.parse(flow.expires_at) - ctx.now().getTime()
  const lifespan = Math.min(ctx.config.selfservice.methods.link.config.lifespan, left)
  const { token, expires_at } = await issueToken(ctx, { flow_id: flow.id, ...target }, lifespan)
  if (!mails) return undefined
  return await queueMail(ctx, {
    template_type: `${flow.kind}_valid`,
    recipient: target.address,
    data: { url: linkUrl(ctx, flow, token), expires_in_minutes: Math.ceil(lifespan / 60_000) },
    cause: { request_url: flow.request_url, identity_id: target.identity_id },
    expires_at,
  })
}

function linkUrl(ctx: Context, { kind, id }: Flow<Kind>, token: string): string {
  const base = ctx.config.selfservice.methods.link.config.base_url ?? ctx.config.serve.public.base_url
  return below(base, `/self-service/${kind}?${new URLSearchParams({ flow: id, token })}`)
}
