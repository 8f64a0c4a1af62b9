import { randomInt } from 'node:crypto'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { unreachable } from '../errors/errors.ts'
import { finishMessage, type Message, type MessageEnd, type MessageTexts } from '../storage/messages.ts'
import type { JsonObject } from '../wire/identity.ts'
import { later } from './queue.ts'
import type { Delivery, Sender } from './senders/sender.ts'

export const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15 * 60_000
/** 1 s, 5.5 s, 30 s, 3 min, 15 min: outlasts greylisting. */
const PAUSE_GROWTH = 5.5

/** Makes one attempt. Returns the delivery if the server was contacted. */
export async function deliver(ctx: Context, sender: Sender, message: Message): Promise<Delivery | undefined> {
  const expired = isExpired(ctx, message)
  const delivery = expired ? EXPIRED : await observe(ctx, message, () => trySend(ctx, sender, message))
  const now = ctx.now()
  const end = endOf(ctx, message, delivery, now)
  const stored = await finishMessage(ctx.db, message, end, {
    id: newId(),
    message_id: message.id,
    created_at: now.toISOString(),
    ...(delivery.kind === 'sent' ? { status: 'success' } : { status: 'failed', error: delivery.reason }),
  })
  if (stored) report(ctx, message, end, delivery)
  return expired ? undefined : delivery
}

function isExpired(ctx: Context, { expires_at }: Message): boolean {
  return expires_at !== undefined && expires_at <= ctx.now().toISOString()
}

const EXPIRED: Delivery = { kind: 'refused', reason: 'it expired before it could be sent' }

async function observe(
  { metrics, tracing }: Context,
  { id, type: channel, template_type }: Message,
  attempt: () => Promise<Delivery>,
): Promise<Delivery> {
  const measured = async () => {
    const started = performance.now()
    const delivery = await attempt()
    const seconds = (performance.now() - started) / 1000
    metrics.observe('identity_message_delivery_duration_seconds', { channel, result: delivery.kind }, seconds)
    return delivery
  }
  if (!tracing) return await measured()
  const attributes = { 'identity.message.channel': channel, 'identity.message.template': template_type }
  return await tracing.within({ name: `send ${channel}`, attributes, cause: id }, async (note) => {
    const delivery = await measured()
    const { kind } = delivery
    note({ 'identity.message.result': kind, ...(kind === 'sent' ? {} : { 'error.type': kind }) })
    return delivery
  })
}

async function trySend(ctx: Context, sender: Sender, message: Message): Promise<Delivery> {
  const { id, type: channel, template_type, recipient, created_at, template_data } = message
  const open = (text: string) => ctx.secrets.decrypt('courier', text)
  try {
    return await sender.send({
      id,
      channel,
      template_type,
      recipient,
      created_at,
      subject: open(message.subject),
      text: open(message.body),
      html: open(message.html),
      template_data:
        template_data === undefined ? undefined : (JSON.parse(open(template_data)) as JsonObject),
    })
  } catch (error) {
    // The encryption secret may be gone.
    ctx.log.error(
      { err: error, ...originOf(message) },
      'message could not be decrypted or passed to the sender',
    )
    return { kind: 'postponed', reason: 'it could not be decrypted or passed to the sender' }
  }
}

function endOf(ctx: Context, { send_count }: Message, delivery: Delivery, now: Date): MessageEnd {
  switch (delivery.kind) {
    case 'sent':
      return { status: 'sent', send_count, ...erasedTexts(ctx) }
    case 'refused':
      return { status: 'abandoned', send_count }
    case 'postponed': {
      if (send_count > ctx.config.courier.message_retries) return { status: 'abandoned', send_count }
      const pause = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (send_count - 1), LONGEST_PAUSE_MS)
      return { status: 'queued', send_count, due_at: later(now, jittered(pause)) }
    }
    case 'unreachable':
      // An outage uses up no attempts.
      return { status: 'queued', send_count: send_count - 1, due_at: now.toISOString() }
    default:
      return unreachable(delivery)
  }
}

/** A sent message may still contain a valid code. */
function erasedTexts({ config, secrets }: Context): Partial<MessageTexts> {
  if (config.retention.sent_messages === 'keep') return {}
  const nothing = secrets.encrypt('courier', '')
  return { subject: nothing, body: nothing, html: nothing, template_data: null }
}

function report(ctx: Context, message: Message, end: MessageEnd, delivery: Delivery) {
  const { type: channel, send_count } = message
  if (delivery.kind === 'sent')
    return ctx.log.info({ ...originOf(message), attempts: send_count }, 'message sent')
  const fields = { ...originOf(message), reason: reasonOf(message, delivery) }
  if (end.status === 'abandoned') {
    ctx.metrics.add('identity_messages_abandoned_total', { channel })
    ctx.log.warn(fields, 'message abandoned')
  } else if (delivery.kind === 'postponed' && send_count === 1) {
    ctx.log.warn(fields, 'message postponed')
  }
}

/** For every log line about a message. */
export function originOf({ id, identity_id, request_id, template_type }: Message) {
  return { message_id: id, identity_id, request_id, template_type }
}

/** Servers repeat the recipient. */
export function reasonOf({ recipient }: Message, { reason }: { readonly reason: string }): string {
  return reason.replaceAll(recipient, '…')
}

/** ±20 %, so that simultaneous failures are not retried simultaneously. */
export const jittered = (milliseconds: number): number => milliseconds * (randomInt(800, 1201) / 1000)
