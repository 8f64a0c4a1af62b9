import type { Context } from '../contract.ts'
import { newId } from '../crypto/random.ts'
import { insertMessage } from '../storage/messages.ts'
import type { MailData, TemplateType } from './templates.ts'
import { DEFAULT_APP_NAME, renderMail } from './templates.ts'

/** A mail that arrives a day late confuses more than it helps. */
const WORTH_SENDING_MS = 24 * 3_600_000

/** A code of a shorter life than the worker needs is sent all the same: its form then says that it expired. */
const LEAST_PATIENCE_MS = 60_000

export interface MailOrder<T extends TemplateType> {
  readonly template_type: T
  /** Exactly as stored: it is never parsed, joined or changed on its way (SEC-07). */
  readonly recipient: string
  readonly data: MailData[T]
  /** When its code expires: from then on it is not sent. A day from now when absent. */
  readonly expires_at?: string
}

/** Writes a mail into the outbox. Inside `transact` it commits, or goes, with what caused it. */
export async function queueMail<T extends TemplateType>(ctx: Context, order: MailOrder<T>): Promise<void> {
  const now = ctx.now()
  const created_at = now.toISOString()
  const app_name = ctx.config.courier.smtp.from_name ?? DEFAULT_APP_NAME
  const mail = renderMail(order.template_type, app_name, order.data)
  const sealed = (text: string) => ctx.secrets.encrypt('courier', text)
  await insertMessage(ctx.db, {
    id: newId(),
    status: 'queued',
    type: 'email',
    template_type: order.template_type,
    recipient: order.recipient,
    subject: sealed(mail.subject),
    body: sealed(mail.text),
    html: sealed(mail.html),
    send_count: 0,
    due_at: created_at,
    created_at,
    updated_at: created_at,
    expires_at: lastMoment(now, order.expires_at),
  })
  wakers.get(ctx.config)?.()
}

function lastMoment(now: Date, expires_at: string | undefined): string {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  const least = after(LEAST_PATIENCE_MS)
  return expires_at === undefined ? after(WORTH_SENDING_MS) : expires_at < least ? least : expires_at
}

// By configuration, because that is what a context and its copy inside a transaction have in common.
const wakers = new WeakMap<Context['config'], () => void>()

/**
 * Has `wake` called after a mail was queued in this process; returns how to end that. It is a hint: on SQLite
 * the worker's next question waits for the transaction that is open, elsewhere it may come before the commit,
 * and then the next poll finds the mail.
 */
export function onMailQueued(ctx: Context, wake: () => void): () => void {
  wakers.set(ctx.config, () => void setImmediate(wake))
  return () => void wakers.delete(ctx.config)
}
