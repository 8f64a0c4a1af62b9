import type { JsonObject } from '../../wire/identity.ts'
import type { Channel } from '../templates/templates.ts'

export interface OutgoingMail {
  /** Constant across attempts, so that receivers can detect duplicates. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly created_at: string
  readonly channel: Channel
  readonly template_type: string
  /** For HTTP requests only. */
  readonly template_data?: JsonObject | undefined
}

/** The result of an attempt. The reason is one line without secrets. */
export type Delivery =
  | { readonly kind: 'sent' }
  /** Rejected permanently. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Not accepted now. */
  | { readonly kind: 'postponed'; readonly reason: string }
  /** No message can be sent now. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface Sender {
  /** Takes at most a minute. */
  send(mail: OutgoingMail): Promise<Delivery>
  /** Closes connections; messages in progress fail. */
  close(): void
}
