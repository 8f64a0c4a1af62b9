import { z } from 'zod'
import { ProtocolError } from '../errors.ts'
import { brokenBound } from './json-shape.ts'
import { mediaTypeOf } from './media-type.ts'
import type { Http } from './request.ts'

const json = z.json()
const jsonObject = z.record(z.string(), json)

/** Go clients send null or an empty text for absent values. */
function unless<T>(shape: z.ZodType<T>) {
  return shape.nullish().transform((value) => value ?? undefined)
}

const address = z
  .object({
    value: z.string(),
    via: z.string().optional(),
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

/** The credentials that can be imported. */
const credentials = {
  password: unless(
    z.strictObject({
      config: z.strictObject({
        password: z.string().optional(),
        hashed_password: z.string().optional(),
        use_password_migration_hook: z.literal(false).optional(),
      }),
    }),
  ),
  oidc: unless(z.strictObject({ config: unless(z.strictObject({ providers: unless(z.array(provider)) })) })),
}

const account = {
  schema_id: unless(z.string()),
  traits: unless(jsonObject).transform((traits) => traits ?? {}),
  metadata_public: json.optional(),
  metadata_admin: json.optional(),
  state: unless(z.enum(['active', 'inactive', '']).transform((state) => state || undefined)),
  external_id: unless(z.string()),
}

/** Unknown members are rejected, so that a typo is not silently ignored. */
export const draftBody = z.strictObject({
  ...account,
  credentials: unless(z.strictObject(credentials)),
  verifiable_addresses: unless(z.array(address)),
  recovery_addresses: unless(z.array(address)),
  organization_id: z.null().optional(),
})

/** The same, whatever its traits and its state. */
const decodableDraft = draftBody.extend({ state: json.optional(), traits: json.optional() })

/** Unknown members are ignored here: clients send back what they have read, with changes. */
export const updateBody = z.object({ ...account, credentials: unless(z.object(credentials)) })

/** Kratos compatibility: `test`, `copy` and `move` are not supported for identities. */
export const patchBody = unless(
  z.array(
    z
      .object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: json.optional() })
      .refine(({ op, value }) => op === 'remove' || value !== undefined, { error: 'needs a value' }),
  ),
)

export const batchBody = unless(
  z.strictObject({
    identities: unless(
      z.array(z.strictObject({ create: unless(draftBody), patch_id: z.uuid().optional() })).max(1000),
    ),
  }),
)

export type DraftBody = z.infer<typeof draftBody>
export type UpdateBody = z.infer<typeof updateBody>
export type CredentialsBody = NonNullable<UpdateBody['credentials']>

/** Parses the JSON body. Throws 400 with the path and the problem. */
export async function readBody<T>(c: Http, shape: z.ZodType<T>): Promise<T> {
  return checkBody(shape, await readJson(c))
}

/** Kratos compatibility: a draft that cannot be decoded is explained in `message`, an invalid one in `reason`. */
export async function readDraft(c: Http): Promise<DraftBody> {
  const raw = await readJson(c, undecodable)
  const { data, error } = draftBody.safeParse(raw)
  if (data) return data
  checkBody(decodableDraft, raw, undecodable)
  throw badRequest(explain(error))
}

/** Kratos compatibility: accepts any Content-Type except those of HTML forms. */
async function readJson(c: Http, refuse = badRequest): Promise<unknown> {
  if (FORM_TYPES.includes(mediaTypeOf(c))) throw refuse(NOT_JSON)
  const raw: unknown = await c.req.json().catch(() => {
    throw refuse('The body must be JSON.')
  })
  if (brokenBound(raw, { depth: DEEPEST, values: Number.POSITIVE_INFINITY }))
    throw refuse(`The body is nested more than ${DEEPEST} levels deep.`)
  return raw
}

/** No batch, metadata or import comes close. */
const DEEPEST = 64

/** A page can make a browser send these to any origin. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** Throws 400 if the Content-Type is not JSON. */
export function assertJson(c: Http): void {
  if (mediaTypeOf(c) !== 'application/json') throw badRequest(NOT_JSON)
}

const NOT_JSON = 'The body must be JSON with a matching Content-Type.'

export function checkBody<T>(shape: z.ZodType<T>, raw: unknown, refuse = badRequest): T {
  const parsed = shape.safeParse(raw)
  if (parsed.success) return parsed.data
  throw refuse(explain(parsed.error))
}

function explain({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
}

export function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}

/** Kratos compatibility: the error for what it cannot parse has no `reason`. */
export function undecodable(message: string): ProtocolError {
  return new ProtocolError({ status: 400, message })
}
