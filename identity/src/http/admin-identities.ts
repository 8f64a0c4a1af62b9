import { z } from 'zod'
import type { Context, NewCredential } from '../contract.ts'
import { transact } from '../contract.ts'
import { FormError, ProtocolError } from '../errors.ts'
import { createIdentity as create } from '../identities/create.ts'
import type { IdentitySchema } from '../identities/schema.ts'
import { adminIdentity } from '../identities/show.ts'
import { deriveFromTraits, normaliseIdentifier } from '../identities/traits.ts'
import { publicSession } from '../sessions/show.ts'
import type { Credential } from '../storage/credentials.ts'
import { listCredentials } from '../storage/credentials.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import {
  deleteIdentity as deleteStored,
  findIdentity,
  listIdentities as listStored,
} from '../storage/identities.ts'
import { countSessions, listSessions } from '../storage/sessions.ts'
import type { AdminCredential, AdminIdentity, JsonObject } from '../wire/identity.ts'
import { readPage, writePageHeaders } from './pages.ts'
import type { Http } from './request.ts'

const json = z.json()
const jsonObject = z.record(z.string(), json)
const address = z.object({ value: z.string(), via: z.string(), verified: z.boolean().optional() }).loose()

/** Protocol 3, 7.3: unknown members are refused, so that a typing error is not a lost setting. */
const draftBody = z.strictObject({
  schema_id: z.string().optional(),
  traits: jsonObject,
  credentials: z
    .strictObject({
      password: z.strictObject({
        config: z.strictObject({ password: z.string().optional(), hashed_password: z.string().optional() }),
      }),
    })
    .partial()
    .optional(),
  verifiable_addresses: z.array(address).optional(),
  recovery_addresses: z.array(address).optional(),
  metadata_public: json.optional(),
  metadata_admin: json.optional(),
  state: z.enum(['active', 'inactive']).optional(),
  organization_id: z.null().optional(),
  external_id: z.string().optional(),
})

type DraftBody = z.infer<typeof draftBody>

/** Creates an account for somebody. 201; 400 for what is not right, 409 for an address that is taken. */
export async function createIdentity(ctx: Context, c: Http): Promise<Response> {
  const body = await readBody(c)
  const schema = ctx.schemas.find(body.schema_id || ctx.config.identity.default_schema_id)
  if (!schema) throw badRequest(`There is no identity schema ${body.schema_id}.`)
  const traits = body.traits as JsonObject
  const wrong = schema.validate(traits)
  if (wrong.length > 0) {
    throw badRequest(wrong.map(({ field, message }) => `${field ?? 'traits'}: ${message.text}`).join(' '))
  }
  const credentials = await importCredentials(ctx, schema, body)
  const created = await transact(ctx, (ctx) => create(ctx, draftOf(body, schema, credentials))).catch(
    (error: unknown) => {
      throw error instanceof FormError ? conflict(error) : error
    },
  )
  c.header('Location', `${ctx.config.serve.admin.base_url.replace(/\/$/, '')}/identities/${created.id}`)
  return c.json(await withCredentials(ctx, created), 201)
}

async function readBody(c: Http): Promise<DraftBody> {
  const raw: unknown = await c.req.json().catch(() => {
    throw badRequest('The body must be JSON.')
  })
  const parsed = draftBody.safeParse(raw)
  if (parsed.success) return parsed.data
  throw badRequest(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
}

function draftOf(body: DraftBody, schema: IdentitySchema, credentials: readonly NewCredential[]) {
  const verified = (body.verifiable_addresses ?? []).filter((one) => one.verified).map(({ value }) => value)
  return {
    schema,
    traits: body.traits as JsonObject,
    credentials,
    verified,
    ...(body.state ? { state: body.state } : {}),
    ...(body.external_id ? { external_id: body.external_id } : {}),
    ...(body.metadata_public === undefined ? {} : { metadata_public: body.metadata_public }),
    ...(body.metadata_admin === undefined ? {} : { metadata_admin: body.metadata_admin }),
  }
}

async function importCredentials(
  ctx: Context,
  schema: IdentitySchema,
  body: DraftBody,
): Promise<NewCredential[]> {
  const config = body.credentials?.password?.config
  if (!config) return []
  const hashed_password =
    config.hashed_password ?? (config.password ? await ctx.hasher.hash(config.password) : undefined)
  if (hashed_password === undefined) throw badRequest('credentials.password.config needs a password.')
  const identifiers = deriveFromTraits(schema, body.traits as JsonObject).identifiers.password ?? []
  return [{ type: 'password', identifiers, config: { hashed_password } }]
}

/** One account with its credentials; what they hold stays here unless it is asked for. */
export async function showIdentity(ctx: Context, c: Http): Promise<Response> {
  const found = await findIdentity(ctx.db, c.req.param('id') ?? '')
  if (!found) throw notFound()
  return c.json(await withCredentials(ctx, found))
}

async function withCredentials(ctx: Context, identity: StoredIdentity): Promise<AdminIdentity> {
  const credentials = await listCredentials(ctx.db, identity.id)
  return {
    ...adminIdentity(ctx, identity),
    credentials: Object.fromEntries(credentials.map((one) => [one.type, adminCredential(one)])),
  }
}

function adminCredential(credential: Credential): AdminCredential {
  const { type, identifiers, version, created_at, updated_at } = credential
  return { type, identifiers, version, created_at, updated_at }
}

const DEFAULT_SIZE = 250
const LARGEST_SIZE = 500

/** A page of accounts by ascending id. */
export async function listIdentities(ctx: Context, c: Http): Promise<Response> {
  const ids = c.req.queries('ids')?.flatMap((value) => value.split(','))
  const identifier = c.req.query('credentials_identifier')
  if (ids && identifier) throw badRequest('Please filter by ids or by credentials_identifier, not by both.')
  const limit = pageSize(c.req.query('page_size') ?? c.req.query('per_page'))
  const after = c.req.query('page_token')
  const filter = {
    ...(ids ? { ids } : {}),
    ...(identifier ? { credentials_identifier: normaliseIdentifier('password', identifier) } : {}),
  }
  const found = await listStored(ctx.db, filter, { limit, ...(after ? { after } : {}) })
  writeLinks(c, limit, found.length === limit ? found.at(-1)?.id : undefined)
  if (!identifier) return c.json(found.map((one) => adminIdentity(ctx, one)))
  return c.json(await Promise.all(found.map((one) => withCredentials(ctx, one))))
}

function pageSize(value: string | undefined): number {
  if (value === undefined || value === '') return DEFAULT_SIZE
  const size = Number(value)
  if (!Number.isInteger(size)) throw badRequest('page_size must be a whole number.')
  return size < 1 ? DEFAULT_SIZE : Math.min(size, LARGEST_SIZE)
}

function writeLinks(c: Http, size: number, next: string | undefined): void {
  const { pathname } = new URL(c.req.url)
  const link = (token: string | undefined, rel: string) => {
    const query = new URLSearchParams({ page_size: String(size), ...(token ? { page_token: token } : {}) })
    return `<${pathname}?${query}>; rel="${rel}"`
  }
  c.header('Link', [link(undefined, 'first'), ...(next ? [link(next, 'next')] : [])].join(','))
}

/** Removes somebody with everything of theirs. */
export async function deleteIdentity(ctx: Context, c: Http): Promise<Response> {
  if (!(await deleteStored(ctx.db, c.req.param('id') ?? ''))) throw notFound()
  return c.body(null, 204)
}

/** Where somebody is or was signed in; an unknown account has none. */
export async function listIdentitySessions(ctx: Context, c: Http): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const identity = await findIdentity(ctx.db, id)
  const page = readPage(new URL(c.req.url).searchParams)
  const active = c.req.query('active')
  const now = ctx.now().toISOString()
  const filter = {
    identity_id: id,
    limit: page.size,
    offset: page.offset,
    ...(active === 'true' ? { live_at: now } : {}),
    ...(active === 'false' ? { ended_at: now } : {}),
  }
  const sessions = identity ? await listSessions(ctx.db, filter) : []
  writePageHeaders(c, page, identity ? await countSessions(ctx.db, filter) : 0)
  return c.json(
    identity
      ? sessions.map((session) => ({
          ...publicSession(ctx, { session, identity }),
          identity: adminIdentity(ctx, identity),
        }))
      : [],
  )
}

function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}

function conflict(error: FormError): ProtocolError {
  const reason = error.entries[0]?.message.text ?? 'An identifier or an address is taken.'
  return new ProtocolError({ status: 409, reason })
}

function notFound(): ProtocolError {
  return new ProtocolError({ status: 404, reason: 'There is no such identity.' })
}
