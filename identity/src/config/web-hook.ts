import { z } from 'zod'
import type { Identity } from '../wire/identity.ts'
import type { Session } from '../wire/session.ts'
import { outgoingRequest } from './outgoing-request.ts'

/** What a web hook is told of the request that it belongs to. */
export interface WebHookContext {
  readonly flow: Readonly<Record<string, unknown>>
  /** By their canonical names; only those that `clients.web_hook.header_allowlist` lets through. */
  readonly request_headers: Readonly<Record<string, readonly string[]>>
  readonly request_method: string
  readonly request_url: string
  readonly request_cookies: Readonly<Record<string, string>>
  readonly identity?: Identity
  readonly session?: Session
}

/** Makes what is sent. An error whose message is `cancel` sends nothing. */
export type WebHookBody = (parameters: { readonly ctx: WebHookContext }) => unknown

export const webHook = z
  .strictObject({
    /** Names the hook in logs. */
    id: z.string().optional(),
    ...outgoingRequest,
    /** A file's `file://` source, which is read into a function. */
    body: z
      .custom<string | WebHookBody>((value) => typeof value === 'function', {
        error: 'expected file:// and the path of a module whose default function makes the body',
      })
      .transform((body) => body as WebHookBody),
    can_interrupt: z.boolean().default(false),
    response: z
      .strictObject({ ignore: z.boolean().default(false), parse: z.boolean().default(false) })
      .prefault({}),
    /** Taken; there are no analytics. */
    emit_analytics_event: z.boolean().optional(),
  })
  .refine(({ response, can_interrupt }) => !(response.ignore && (response.parse || can_interrupt)), {
    error: 'an answer that is ignored can neither be parsed nor interrupt',
  })

export type WebHook = z.output<typeof webHook>
