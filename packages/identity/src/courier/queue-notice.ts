import type { Context } from '../contract/contract.ts'
import { tryCount } from '../limits/limits.ts'
import { lockIdentity } from '../storage/identities/identities.ts'
import { lockQueuedMessage, type Message, rewriteMessage } from '../storage/messages.ts'
import { later, type MailOrder, queueMail, sealedContent } from './queue.ts'
import { type HeldNotices, type Notice, topicOf } from './templates/notice-texts.ts'
import type { TemplateType } from './templates/templates.ts'

export interface Noticed {
  readonly notice: Notice
  readonly identity_id: string
  readonly url: string
  /** Such as `6 December 2026`. */
  readonly due?: string | undefined
}

/** Late is useful: the mail server may have been down during the attack. */
const WORTH_SENDING_MS = 14 * 86_400_000

/** Beyond the limit of its topic, a notice joins a digest (SEC-72). Call inside `transact`. */
export async function queueNotice<T extends TemplateType>(
  ctx: Context,
  noticed: Noticed,
  order: Omit<MailOrder<T>, 'identity_id'>,
): Promise<void> {
  const { identity_id } = noticed
  const account = `${topicOf(noticed.notice)} ${order.recipient}`
  const expires_at = later(ctx.now(), WORTH_SENDING_MS)
  if (await tryCount(ctx, { kind: 'notice', account, follows: true })) {
    await queueMail(ctx, { expires_at, identity_id, ...order })
    return
  }
  // The later of two concurrent notices must see the other's digest.
  await lockIdentity(ctx.db, identity_id)
  const digest = { template_type: 'security_digest', recipient: order.recipient } as const
  const queued = await lockQueuedMessage(ctx.db, digest)
  const heldNotices = queued && heldIn(ctx, queued)
  const data = { held: withNotice(heldNotices ?? [], noticed, ctx.now().toISOString()), url: noticed.url }
  if (queued && heldNotices) {
    const content = await sealedContent(ctx, { ...digest, data })
    return await rewriteMessage(ctx.db, queued.id, content, ctx.now().toISOString())
  }
  const { account: limit } = ctx.config.limits.notice
  const due_at = limit === 'off' ? undefined : later(ctx.now(), limit.refill)
  await queueMail(ctx, { ...digest, data, identity_id, due_at, expires_at })
}

/** Undefined if the secret that encrypted the digest is gone. */
function heldIn(ctx: Context, { template_data = '' }: Message): readonly HeldNotices[] | undefined {
  const digest = ctx.secrets.openJson('courier', template_data) as { held: HeldNotices[] } | undefined
  return digest?.held
}

function withNotice(
  heldNotices: readonly HeldNotices[],
  { notice, due }: Noticed,
  at: string,
): HeldNotices[] {
  const earlier = heldNotices.find((one) => one.notice === notice)
  if (!earlier) return [...heldNotices, { notice, times: 1, first: at, last: at, due }]
  return heldNotices.map((one) => (one === earlier ? { ...one, times: one.times + 1, last: at } : one))
}
