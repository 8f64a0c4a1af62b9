import { z } from 'zod'
import { ProtocolError } from '../errors.ts'
import type { Http } from './request.ts'

const json = z.json()
const jsonObject = z.record(z.string(), json)
const address = z
  .object({
    value: z.string(),
    via: z.string(),
    verified: z.boolean().optional(),
    verified_at: z.iso
      .datetime({ offset: true })
      .transform((time) => new Date(time).toISOString())
      .nullish(),
  })
  .loose()
const provider = z.strictObject({
  provider: z.string().min(1),
  subject: z.string().min(1),
  organization: z.string().optional(),
  use_auto_link: z.boolean().optional(),
})

/** What can be brought along from elsewhere: protocol 3, 7.3. */
const credentials = z
  .strictObject({
    password: z.strictObject({
      config: z.strictObject({ password: z.string().optional(), hashed_password: z.string().optional() }),
    }),
    oidc: z.strictObject({ config: z.strictObject({ providers: z.array(provider) }) }),
  })
  .partial()

const account = {
  schema_id: z.string().optional(),
  traits: jsonObject,
  credentials: credentials.optional(),
  metadata_public: json.optional(),
  metadata_admin: json.optional(),
  state: z.enum(['active', 'inactive']).optional(),
  external_id: z.string().optional(),
}

/** Unknown members are refused, so that a typing error is not a lost setting. */
export const draftBody = z.strictObject({
  ...account,
  verifiable_addresses: z.array(address).optional(),
  recovery_addresses: z.array(address).optional(),
  organization_id: z.null().optional(),
})

/** Here unknown members are ignored: clients send back what they have read, changed. */
export const updateBody = z.object(account)

/** Protocol 3, 7.3: `test`, `copy` and `move` are not for accounts. */
export const patchBody = z.array(
  z.object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: json.optional() }),
)

export const batchBody = z.strictObject({
  identities: z
    .array(z.strictObject({ create: draftBody, patch_id: z.uuid().optional() }))
    .max(1000)
    .nullish(),
})

export type DraftBody = z.infer<typeof draftBody>
export type UpdateBody = z.infer<typeof updateBody>
export type CredentialsBody = z.infer<typeof credentials>

/** The body as JSON, whatever its declared type. Throws 400 that names what is wrong, and where. */
export async function readBody<T>(c: Http, shape: z.ZodType<T>): Promise<T> {
  const raw: unknown = await c.req.json().catch(() => {
    throw new ProtocolError({ status: 400, reason: 'The body must be JSON.' })
  })
  return checkBody(shape, raw)
}

export function checkBody<T>(shape: z.ZodType<T>, raw: unknown): T {
  const parsed = shape.safeParse(raw)
  if (parsed.success) return parsed.data
  throw badRequest(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

export function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}
