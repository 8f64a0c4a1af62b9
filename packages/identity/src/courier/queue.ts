import { randomInt } from 'node:crypto'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { channelOf } from '../identities/schema/formats.ts'
import { deleteMessage, insertMessage, type MessageContent, requeueMessage } from '../storage/messages.ts'
import type { JsonObject } from '../wire/identity.ts'
import { requestOf } from './senders/choose.ts'
import type { EmailTemplate } from './templates/email.ts'
import { type Order, type Rendered, renderMessage, renderTemplate } from './templates/render.ts'
import { type Channel, isTextMessage, type TemplateType } from './templates/templates.ts'

/** A late email confuses. */
const WORTH_SENDING_MS = 24 * 3_600_000

/** A code that expires sooner is sent anyway: its form then says that it expired. */
const LEAST_PATIENCE_MS = 60_000

export interface MailOrder<T extends TemplateType> extends Order<T> {
  /** The account of the recipient, if any. For the log. */
  readonly identity_id: string | undefined
  /** Not sent after this. By default a day from now. */
  readonly expires_at?: string
  readonly due_at?: string | undefined
}

/** Returns the id, or undefined if nothing is sent. Call inside `transact`. */
export async function queueMail<T extends TemplateType>(
  ctx: Context,
  order: MailOrder<T>,
): Promise<string | undefined> {
  const { template_type, recipient } = order
  const channel = channelOf(recipient)
  // Text messages cost money, so only codes are sent.
  if (channel === 'sms' && !isTextMessage(template_type)) return undefined
  return await enqueue(ctx, order, channel, await sealedContent(ctx, order))
}

/** Queues an email of the product. Call inside `transact`. */
export async function queueEmail<Data extends object>(
  ctx: Context,
  { recipient, template, data, identity_id }: EmailOrder<Data>,
): Promise<void> {
  if (channelOf(recipient) !== 'email') throw new TypeError('an email needs an email address')
  const rendered = renderTemplate(ctx, template, data, recipient)
  const keepsData = requestOf(ctx.config, 'email') !== undefined
  const template_data = keepsData
    ? { ...(JSON.parse(JSON.stringify(data)) as JsonObject), to: recipient }
    : undefined
  const content = seal(ctx, { ...rendered, template_data })
  await enqueue(ctx, { template_type: template.name, recipient, identity_id }, 'email', content)
}

interface EmailOrder<Data extends object> {
  readonly recipient: string
  readonly identity_id?: string | undefined
  readonly template: EmailTemplate<Data>
  readonly data: Data
}

interface Envelope
  extends Pick<MailOrder<TemplateType>, 'recipient' | 'due_at' | 'expires_at' | 'identity_id'> {
  readonly template_type: string
}

async function enqueue(
  ctx: Context,
  { template_type, recipient, due_at, expires_at, identity_id }: Envelope,
  channel: Channel,
  content: MessageContent,
): Promise<string> {
  const now = ctx.now()
  const created_at = now.toISOString()
  const id = newId()
  ctx.tracing?.remember(id)
  await insertMessage(ctx.db, {
    id,
    status: 'queued',
    type: channel,
    template_type,
    recipient,
    ...content,
    send_count: 0,
    due_at: due_at ?? created_at,
    created_at,
    updated_at: created_at,
    expires_at: lastMoment(now, expires_at),
    identity_id,
    request_id: ctx.request?.request_id,
  })
  ctx.afterCommit(() =>
    ctx.metrics.add('identity_messages_queued_total', { channel, template: template_type }),
  )
  ctx.once(createWakers).get(channel)?.()
  return id
}

/**
 * Does the work of `mail` without sending, so that an address without an account takes as long (SEC-78). Call
 * inside `transact`.
 */
export async function pretendMail(
  ctx: Context,
  mail: (ctx: Context) => Promise<string | undefined>,
): Promise<void> {
  const id = await mail({ ...ctx, afterCommit() {} })
  if (id !== undefined) await deleteMessage(ctx.db, { id })
}

export async function sealedContent<T extends TemplateType>(
  ctx: Context,
  order: Order<T>,
): Promise<MessageContent> {
  return seal(ctx, await renderMessage(ctx, channelOf(order.recipient), order))
}

function seal(ctx: Context, { subject, text, html, template_data }: Rendered): MessageContent {
  const sealed = (plain: string) => ctx.secrets.encrypt('courier', plain)
  return {
    subject: sealed(subject),
    body: sealed(text),
    html: sealed(html),
    template_data: template_data && sealed(JSON.stringify(template_data)),
  }
}

/** Returns false if the message is not abandoned or has expired. */
export async function retryMail(ctx: Context, id: string): Promise<boolean> {
  const channel = await requeueMessage(ctx.db, id, ctx.now().toISOString())
  if (channel !== undefined) ctx.once(createWakers).get(channel)?.()
  return channel !== undefined
}

function lastMoment(now: Date, expires_at = later(now, WORTH_SENDING_MS)): string {
  const least = later(now, LEAST_PATIENCE_MS)
  return expires_at < least ? least : expires_at
}

export function later(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + Math.round(milliseconds)).toISOString()
}

const createWakers = () => new Map<Channel, () => void>()

/** Sending right after the request would reveal that a message was queued (SEC-78). */
const WAKE_WITHIN_MS = 1000

/**
 * `wake` may run before the commit; the next poll then finds the message. Returns a function that
 * unsubscribes.
 */
export function onMailQueued(ctx: Context, channel: Channel, wake: () => void): () => void {
  ctx.once(createWakers).set(channel, () => void setTimeout(wake, randomInt(WAKE_WITHIN_MS)).unref())
  return () => void ctx.once(createWakers).delete(channel)
}
