import { z } from 'zod'
import { bodyMaker, outgoingRequest } from './outgoing-request.ts'
import { duration, section } from './values.ts'

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
  render(data: object): string
  readonly text: string
  /** Its key or file, for errors. */
  readonly path: string
}

/** A Go template, loaded from `file://`, `https://` or `base64://`. */
const template = z
  .custom<string | Template>((value) => typeof value === 'object' && value !== null, {
    error: 'expected file://, https:// or base64://',
  })
  .transform((loaded) => loaded as Template)

const email = section({
  subject: template.optional(),
  body: section({ plaintext: template.optional(), html: template.optional() }),
})

const sms = section({ body: section({ plaintext: template.optional() }) })

const valid = section({ email, sms })
const invalid = section({ email })
const sentToOwners = section({ valid })
const invalidOrValid = section({ valid, invalid })

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

const hex = z.string().regex(/^#[\da-f]{6}$/, { error: 'expected six hexadecimal digits, such as #005d72' })

export const courier = section({
  message_retries: z.int().min(0).default(5),
  worker: section({
    pull_count: z.int().min(1).default(10),
    pull_wait: duration.prefault('1s'),
  }),
  delivery_strategy: z.enum(['smtp', 'http']).default('smtp'),
  smtp: section({
    /** Without it emails stay queued. */
    connection_uri: z
      .string()
      .regex(/^smtps?:\/\/[^/]/, { error: 'expected smtp://host:port/ or smtps://host:port/' })
      .optional(),
    from_address: z.string().default('no-reply@app.example'),
    from_name: z.string().optional(),
    headers: z.record(z.string(), z.string()).default({}),
    local_name: z.string().default('localhost'),
  }),
  http: section({ request_config: request_config.optional() }),
  channels: z
    .array(z.strictObject({ id: z.literal('sms'), type: z.literal('http').default('http'), request_config }))
    .max(1, { error: 'expected one channel. Only sms is supported' })
    .default([]),
  /** The language of emails, as a tag (BCP 47). */
  language: z.string().refine(isLanguage, { error: 'expected a language tag such as en' }).default('en'),
  colors: section({
    accent: hex.default('#005d72'),
    on_accent: hex.default('#ffffff'),
    dark_accent: hex.default('#7bcbe2'),
    dark_on_accent: hex.default('#011a20'),
  }),
  /** CSS font families of emails, before those of the system. */
  font: z
    .string()
    .regex(/^[^;:{}()<>\\]+$/, { error: 'expected CSS font families such as Inter, sans-serif' })
    .optional(),
  /** A folder in Kratos' layout. `templates` override its files. */
  template_override_path: z.string().optional(),
  templates: section({
    recovery: invalidOrValid,
    recovery_code: invalidOrValid,
    verification: invalidOrValid,
    verification_code: invalidOrValid,
    registration_code: sentToOwners,
    login_code: sentToOwners,
  }),
}).refine(
  ({ delivery_strategy, http }) => delivery_strategy === 'smtp' || http.request_config !== undefined,
  {
    error: 'is missing. Set a url for delivery_strategy http',
    path: ['http', 'request_config'],
  },
)
