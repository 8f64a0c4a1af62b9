import { z } from 'zod'
import type { Identity } from '../wire/identity.ts'
import type { Session } from '../wire/session.ts'
import { bodyMaker, outgoingRequest } from './outgoing-request.ts'
import { section } from './values.ts'

export interface WebHookContext {
  readonly flow: Readonly<Record<string, unknown>>
  /** As `clients.web_hook.header_allowlist` allows. */
  readonly request_headers: Readonly<Record<string, readonly string[]>>
  readonly request_method: string
  readonly request_url: string
  readonly request_cookies: Readonly<Record<string, string>>
  readonly identity?: Identity
  readonly session?: Session
}

/** `throw new Error('cancel')` sends nothing. Do not throw an error with input as its message. */
export type WebHookBody = (parameters: { readonly ctx: WebHookContext }) => unknown

export const webHook = z
  .strictObject({
    id: z.string().optional(),
    ...outgoingRequest,
    body: bodyMaker<WebHookBody>(),
    can_interrupt: z.boolean().default(false),
    response: section({ ignore: z.boolean().default(false), parse: z.boolean().default(false) }),
    /** Has no effect. */
    emit_analytics_event: z.boolean().optional(),
  })
  .refine(({ response, can_interrupt }) => !(response.ignore && (response.parse || can_interrupt)), {
    error: 'an ignored response can neither be parsed nor interrupt. Set response.ignore to false',
  })

export type WebHook = z.output<typeof webHook>
