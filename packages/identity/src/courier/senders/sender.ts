import type { JsonObject } from '../../wire/identity.ts'
import type { Channel } from '../templates/templates.ts'

export interface OutgoingMail {
  /** Constant across attempts, so that receivers detect duplicates. */
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly created_at: string
  readonly channel: Channel
  readonly template_type: string
  readonly template_data?: JsonObject | undefined
}

/** The reason is one line without secrets. */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'postponed'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string }

export interface Sender {
  /** Takes at most a minute. */
  send(mail: OutgoingMail): Promise<Delivery>
  /** Closes connections; messages in progress fail. */
  close(): void
}
