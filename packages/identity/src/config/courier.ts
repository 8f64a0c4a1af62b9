import { z } from 'zod'
import { bodyMaker, outgoingRequest } from './outgoing-request.ts'
import { duration } from './values.ts'

export interface DeliveryContext {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly html_body?: string
  readonly template_type: string
  readonly template_data: Readonly<Record<string, unknown>>
  readonly message_type: 'email' | 'sms'
  readonly request_headers: Readonly<Record<string, readonly string[]>>
}

export type DeliveryBody = (parameters: { readonly ctx: DeliveryContext }) => unknown

const request_config = z.strictObject({
  ...outgoingRequest,
  method: outgoingRequest.method.default('POST'),
  body: bodyMaker<DeliveryBody>().optional(),
})

export interface Template {
  readonly text: string
  /** Its key or file, for errors. */
  readonly path?: string
}

/** A Go template, loaded from `file://`, `https://` or `base64://`. */
const template = z
  .custom<string | Template>((value) => typeof value === 'object' && value !== null, {
    error: 'expected file://, https:// or base64://',
  })
  .transform((loaded) => loaded as Template)

const email = z
  .strictObject({
    subject: template.optional(),
    body: z.strictObject({ plaintext: template.optional(), html: template.optional() }).prefault({}),
  })
  .prefault({})

const sms = z
  .strictObject({ body: z.strictObject({ plaintext: template.optional() }).prefault({}) })
  .prefault({})

const valid = z.strictObject({ email, sms }).prefault({})
const invalid = z.strictObject({ email }).prefault({})
const sentToOwners = z.strictObject({ valid }).prefault({})
const invalidOrValid = z.strictObject({ valid, invalid }).prefault({})

export const courier = z
  .strictObject({
    message_retries: z.int().min(0).default(5),
    worker: z
      .strictObject({
        pull_count: z.int().min(1).default(10),
        pull_wait: duration.prefault('1s'),
      })
      .prefault({}),
    delivery_strategy: z.enum(['smtp', 'http']).default('smtp'),
    smtp: z
      .strictObject({
        /** Without it emails stay queued. */
        connection_uri: z
          .string()
          .regex(/^smtps?:\/\/[^/]/, { error: 'expected smtp://host:port/ or smtps://host:port/' })
          .optional(),
        from_address: z.string().default('no-reply@my-app.example'),
        from_name: z.string().optional(),
        headers: z.record(z.string(), z.string()).default({}),
        local_name: z.string().default('localhost'),
      })
      .prefault({}),
    http: z.strictObject({ request_config: request_config.optional() }).prefault({}),
    channels: z
      .array(
        z.strictObject({ id: z.literal('sms'), type: z.literal('http').default('http'), request_config }),
      )
      .max(1, { error: 'expected one channel. Only sms is supported' })
      .default([]),
    /** A folder in Kratos' layout. `templates` override its files. */
    template_override_path: z.string().optional(),
    templates: z
      .strictObject({
        recovery: invalidOrValid,
        recovery_code: invalidOrValid,
        verification: invalidOrValid,
        verification_code: invalidOrValid,
        registration_code: sentToOwners,
        login_code: sentToOwners,
      })
      .prefault({}),
  })
  .refine(
    ({ delivery_strategy, http }) => delivery_strategy === 'smtp' || http.request_config !== undefined,
    {
      error: 'is missing. Set a url for delivery_strategy http',
      path: ['http', 'request_config'],
    },
  )
  .prefault({})
