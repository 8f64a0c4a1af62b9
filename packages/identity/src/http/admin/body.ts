import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { parseFirstValue } from '../../input/json.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import { accountFacts } from '../../transfer/account-facts.ts'
import { secondFactors, time } from '../../transfer/second-factors.ts'
import { boundProblem, mediaTypeOf, readText } from '../bodies.ts'
import type { Http } from '../request.ts'

const json = z.json()

/** Go clients send null or an empty string for absent values. */
function unless<T>(shape: z.ZodType<T>) {
  return shape.nullish().transform((value) => value ?? undefined)
}

/** Checks the length first, because zod reports an issue for every entry. */
function list<T>(entry: z.ZodType<T>, most: number) {
  return z.array(z.unknown()).max(most).pipe(z.array(entry))
}

const MOST_ENTRIES = 200

export const uuid = z.string().transform((text, { addIssue }) => {
  const id = canonicalUuid(text)
  if (id === undefined) addIssue('must be a UUID')
  return id ?? z.NEVER
})

const address = z.strictObject({
  value: z.string(),
  via: z.string().optional(),
  id: json.optional(),
  created_at: json.optional(),
  updated_at: json.optional(),
})
const verifiableAddress = address.extend({
  verified: z.boolean().optional(),
  status: json.optional(),
  verified_at: time.nullish(),
})
const provider = z.strictObject({
  provider: z.string().min(1),
  subject: z.string().min(1),
  organization: unless(uuid),
  use_auto_link: z.boolean().optional(),
})

const passwordConfig = z.strictObject({
  password: z.string().optional(),
  hashed_password: z.string().optional(),
  use_password_migration_hook: z.boolean().optional(),
})

const credentials = {
  password: unless(z.strictObject({ config: unless(passwordConfig).transform((config) => config ?? {}) })),
  oidc: unless(
    z.strictObject({ config: unless(z.strictObject({ providers: unless(list(provider, MOST_ENTRIES)) })) }),
  ),
  ...secondFactors,
}

const account = {
  schema_id: unless(z.string()),
  traits: unless(json).transform((traits) => traits ?? {}),
  metadata_public: json.optional(),
  metadata_admin: json.optional(),
  state: unless(z.enum(['active', 'inactive', '']).transform((state) => state || undefined)),
  external_id: unless(z.string()),
}

/** Strict, so that typos are not silently ignored. */
export const draftBody = z.strictObject({
  ...account,
  credentials: unless(z.strictObject(credentials)),
  verifiable_addresses: unless(list(verifiableAddress, MOST_ENTRIES)),
  recovery_addresses: unless(list(address, MOST_ENTRIES)),
  organization_id: unless(uuid),
  transfer: unless(accountFacts),
})

const decodableDraft = draftBody.extend({ state: unless(z.string()) })

/** Ignores unknown members, because clients send back what they read. */
export const updateBody = z.object({ ...account, credentials: unless(z.object(credentials)) })

/** Kratos compatibility: identities do not support `test`, `copy` and `move`. */
export const patchBody = unless(
  list(
    z
      .object({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: json.optional() })
      .refine(({ op, value }) => op === 'remove' || value !== undefined, { error: 'needs a value' }),
    1000,
  ),
)

const batchBody = unless(z.strictObject({ identities: unless(z.array(z.unknown())) }))
const batchItem = z.strictObject({ create: unless(draftBody), patch_id: unless(uuid) })
const decodableItem = batchItem.extend({ create: unless(decodableDraft) })
const MOST_ITEMS = 1000

export type DraftBody = z.infer<typeof draftBody>
export type UpdateBody = z.infer<typeof updateBody>
export type CredentialsBody = NonNullable<UpdateBody['credentials']>

export async function readBody<T>(c: Http, shape: z.ZodType<T>): Promise<T> {
  return checkBody(shape, await readJson(c))
}

/** Yields to other requests between accounts. */
export async function readBatch(c: Http): Promise<readonly z.infer<typeof batchItem>[]> {
  const body = await readJson(c, malformed, MOST_VALUES_OF_BATCH)
  const raw = checkBody(batchBody, body, malformed)?.identities ?? []
  if (raw.length > MOST_ITEMS) throw badRequest(`A batch can contain at most ${MOST_ITEMS} identities.`)
  const items: z.infer<typeof batchItem>[] = []
  for (const [index, item] of raw.entries()) {
    await nextTurn()
    assertAccountSize(item, `identities.${index}`)
    items.push(checkDecoded(batchItem, decodableItem, item, `identities.${index}.`, malformed))
  }
  return items
}

export async function readDraft(c: Http): Promise<DraftBody> {
  return checkDecoded(draftBody, decodableDraft, (await readJson(c, undecodable)) ?? {})
}

/** Kratos compatibility: an undecodable body is explained in `message`, an invalid one in `reason`. */
function checkDecoded<T>(
  shape: z.ZodType<T>,
  decodable: z.ZodType,
  raw: unknown,
  at = '',
  refuse = undecodable,
): T {
  const parsed = shape.safeParse(raw)
  if (parsed.success) return parsed.data
  checkBody(decodable, raw, (message) => refuse(at + message))
  throw badRequest(at + explain(parsed.error))
}

/** Kratos compatibility: accepts any Content-Type except those of HTML forms. */
async function readJson(c: Http, refuse = badRequest, values = MOST_VALUES): Promise<unknown> {
  if (FORM_TYPES.includes(mediaTypeOf(c))) throw refuse(NOT_JSON)
  const text = await readText(c)
  const problem = boundProblem(text, 'The body', { depth: DEEPEST, values })
  if (problem !== undefined) throw refuse(problem)
  try {
    return parseFirstValue(text)
  } catch {
    throw refuse('The body must be JSON.')
  }
}

/** In characters of JSON, which each session look-up reads. */
export const LARGEST_ACCOUNT = 256 * 1024
const MOST_VALUES = 5_000
const MOST_VALUES_OF_BATCH = 100_000
const DEEPEST = 64

/** Throws 400. Patches must not grow an account without limit (SEC-64). */
export function assertAccountSize(account: unknown, name: string): void {
  const text = JSON.stringify(account)
  if (text.length > LARGEST_ACCOUNT) throw badRequest(`${name} is larger than ${LARGEST_ACCOUNT / 1024} KiB.`)
  const problem = boundProblem(text, name, { depth: DEEPEST, values: MOST_VALUES })
  if (problem !== undefined) throw badRequest(problem)
}

/** Web pages can make a browser send these types to any origin. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

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
  const reasons = issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
  return reasons.join('; ').slice(0, LONGEST_REASON)
}

const MOST_ISSUES = 20
const LONGEST_REASON = 2_000

/** Kratos compatibility: parse errors have no `reason`. */
export function undecodable(message: string): ProtocolError {
  return new ProtocolError({ status: 400, message })
}

/** Kratos compatibility: `code` is 500 although the status is 400. */
export function malformed(message: string): ProtocolError {
  return new ProtocolError({ status: 400, code: 500, message })
}
