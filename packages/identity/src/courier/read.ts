import type { Context } from '../contract/contract.ts'
import type { Message, MessageAttempt, MessageFilter } from '../storage/messages.ts'
import { findMessage, listMessages } from '../storage/messages.ts'

/** An email or text message, with the code or link in its body. */
export type Mail = Pick<
  Message,
  'id' | 'recipient' | 'subject' | 'body' | 'html' | 'template_type' | 'status' | 'created_at'
>

type Private = 'html' | 'due_at' | 'expires_at' | 'template_data' | 'identity_id' | 'request_id'

export interface CourierMessage extends Omit<Message, Private> {
  /** The name of a template that Kratos lacks. */
  readonly own_template_type?: string
  readonly channel: string
  readonly dispatches?: readonly Dispatch[]
}

type Dispatch = MessageAttempt & { readonly updated_at: string }

/** Replaces the texts, which may contain a live code. */
const HIDDEN = '<hidden-outside-dev-mode>'
const UNREADABLE = '<sealed-with-a-secret-that-is-gone>'

export async function listMails(ctx: Context, limit: number): Promise<Mail[]> {
  const messages = await listMessages(ctx.db, {}, { limit })
  return messages.map(({ id, recipient, template_type, status, created_at, ...sealed }) => ({
    id,
    recipient,
    subject: decryptText(ctx, sealed.subject),
    body: decryptText(ctx, sealed.body),
    html: decryptText(ctx, sealed.html),
    template_type,
    status,
    created_at,
  }))
}

/** Newest first. */
export async function listCourierMessages(
  ctx: Context,
  filter: MessageFilter,
  page: Parameters<typeof listMessages>[2],
): Promise<CourierMessage[]> {
  const messages = await listMessages(ctx.db, filter, page)
  return messages.map((message) => toCourierMessage(ctx, message))
}

export async function findCourierMessage(ctx: Context, id: string): Promise<CourierMessage | undefined> {
  const message = await findMessage(ctx.db, id)
  if (!message) return undefined
  const dispatches = message.attempts.map((attempt) => ({ ...attempt, updated_at: attempt.created_at }))
  return { ...toCourierMessage(ctx, message.message), ...(dispatches.length > 0 && { dispatches }) }
}

function toCourierMessage(ctx: Context, message: Message): CourierMessage {
  const openIfDev = (sealed: string) => (ctx.config.dev ? decryptText(ctx, sealed) : HIDDEN)
  return {
    id: message.id,
    status: message.status,
    type: message.type,
    recipient: message.recipient,
    body: openIfDev(message.body),
    subject: openIfDev(message.subject),
    ...templateOf(message),
    channel: message.type,
    send_count: message.send_count,
    created_at: message.created_at,
    updated_at: message.updated_at,
  }
}

/** Ory’s SDKs refuse a list with a type that their enumeration lacks. */
function templateOf({ template_type }: Message): Pick<CourierMessage, 'template_type' | 'own_template_type'> {
  if (KRATOS_TYPES.has(template_type)) return { template_type }
  return { template_type: 'stub', own_template_type: template_type }
}

const KRATOS_TYPES: ReadonlySet<string> = new Set([
  ...['recovery_invalid', 'recovery_valid', 'recovery_code_invalid', 'recovery_code_valid'],
  ...['verification_invalid', 'verification_valid', 'verification_code_invalid', 'verification_code_valid'],
  ...['login_code_valid', 'registration_code_valid'],
])

function decryptText(ctx: Context, sealed: string): string {
  try {
    return ctx.secrets.decrypt('courier', sealed)
  } catch {
    // One unreadable message must not hide the others.
    return UNREADABLE
  }
}
