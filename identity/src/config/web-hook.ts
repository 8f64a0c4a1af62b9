import { z } from 'zod'
import type { Identity } from '../wire/identity.ts'
import type { Session } from '../wire/session.ts'
import { absoluteUrl } from './values.ts'

/** What a web hook is told of the request that it belongs to. Protocol 3, 5.6. */
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

const apiKey = z.strictObject({
  type: z.literal('api_key'),
  config: z.strictObject({
    name: z.string().min(1),
    value: z.string(),
    in: z.enum(['header', 'cookie']).default('header'),
  }),
})

const basicAuth = z.strictObject({
  type: z.literal('basic_auth'),
  config: z.strictObject({ user: z.string(), password: z.string() }),
})

/** The two ways in which a body can be written. */
const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded']

export const webHook = z
  .strictObject({
    /** Names the hook in logs. */
    id: z.string().optional(),
    url: absoluteUrl,
    method: z
      .string()
      .toUpperCase()
      .regex(/^(?!(CONNECT|TRACE)$)[A-Z]+$/, { error: 'expected an HTTP method such as POST' }),
    headers: z.record(z.string(), z.string()).default({}),
    /** A file's `file://` source, which is read into a function. */
    body: z
      .custom<string | WebHookBody>((value) => typeof value === 'function', {
        error: 'expected file:// and the path of a module whose default function makes the body',
      })
      .transform((body) => body as WebHookBody),
    auth: z.discriminatedUnion('type', [apiKey, basicAuth]).optional(),
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
  .refine(({ headers }) => CONTENT_TYPES.includes(contentTypeOf(headers)), {
    error: `the Content-Type of a web hook is ${CONTENT_TYPES.join(' or ')}`,
    path: ['headers'],
  })

export type WebHook = z.output<typeof webHook>

/** JSON unless the headers say otherwise; their names may be spelled in any way. */
export function contentTypeOf(headers: Readonly<Record<string, string>>): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return own?.[1] ?? 'application/json'
}
