import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { badRequest } from '../../errors/errors.ts'
import { applyPatch, type PatchOperation, pointerOf } from '../../identities/json-patch.ts'
import { updateIdentity as update } from '../../identities/update.ts'
import { isObject } from '../../input/json.ts'
import { type Credential, listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import type { Http } from '../request.ts'
import type { UpdateBody } from './body.ts'
import {
  assertAccountSize,
  assertJson,
  checkBody,
  draftBody,
  patchBody,
  readBody,
  updateBody,
} from './body.ts'
import { checkTraits, schemaOf, throwConflict, writtenIdentity } from './identities.ts'
import { type HashedCredentials, hashCredentials, importCredentials } from './import.ts'
import { etagOf, getIdentity, lockMatching } from './path.ts'

/** Clears absent members, except the schema and the state. */
export async function replaceIdentity(ctx: Context, c: Http): Promise<Response> {
  assertJson(c)
  const body = await readBody(c, updateBody)
  await getIdentity(ctx, c)
  const credentials = await hashCredentials(ctx, body.credentials)
  const [updatedIdentity, connected] = await transact(ctx, async (ctx) => {
    const before = await lockMatching(ctx, c)
    const connected = credentials?.oidc ? (await listCredentials(ctx.db, before.id)).some(isOidc) : false
    const { organization_id } = before
    return [await change(ctx, c, before, { ...body, organization_id, credentials }), connected] as const
  }).catch(throwConflict)
  c.header('ETag', etagOf(updatedIdentity))
  const isNew = (type: string) =>
    Object.hasOwn(body.credentials ?? {}, type) && !(connected && isOidc({ type }))
  return c.json(await writtenIdentity(ctx, updatedIdentity, body, isNew))
}

/** Applies all operations or none (RFC 6902). */
export async function patchIdentity(ctx: Context, c: Http): Promise<Response> {
  await getIdentity(ctx, c)
  const sentOperations = (await readBody(c, patchBody)) ?? []
  const operations = sentOperations.map(({ op, path, value = null }) => ({ op, path, value }))
  // One transaction keeps concurrent changes to other members.
  const [updatedIdentity, body] = await transact(ctx, async (ctx) => {
    const lockedIdentity = await lockMatching(ctx, c)
    const document = documentOf(lockedIdentity, await listCredentials(ctx.db, lockedIdentity.id))
    const { credentials, ...account } = patchDocument(document, operations as PatchOperation[])
    assertAccountSize(account, 'The patched account')
    const body = checkBody(patchedBody, { ...account, ...hashAfter(document, credentials) })
    return [await change(ctx, c, lockedIdentity, body, proofsAfter(lockedIdentity, body)), body] as const
  }).catch(throwConflict)
  c.header('ETag', etagOf(updatedIdentity))
  return c.json(await writtenIdentity(ctx, updatedIdentity, body, () => false))
}

function isOidc({ type }: Pick<Credential, 'type'>): boolean {
  return type === 'oidc'
}

function patchDocument(document: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  try {
    return applyPatch(document, operations.filter(isEffective)) as JsonObject
  } catch (error) {
    throw error instanceof RangeError ? badRequest(error.message) : error
  }
}

const patchedBody = draftBody
  .omit({ recovery_addresses: true, transfer: true })
  .extend({ state: z.enum(['active', 'inactive']) })

/** Kratos compatibility: an address that the patch removes from the list is no longer verified. */
function proofsAfter({ addresses }: StoredIdentity, { verifiable_addresses: listed = [] }: Proven) {
  const statements = listed.map(({ value, verified = false }) => ({ value, verified }))
  const removed = addresses.filter(({ value }) => !statements.some((one) => one.value === value))
  return [...statements, ...removed.map(({ value }) => ({ value, verified: false }))]
}

type Proven = Pick<z.output<typeof patchedBody>, 'verifiable_addresses'>

/** Call inside `transact`. */
async function change(
  ctx: Context,
  c: Http,
  lockedIdentity: StoredIdentity,
  body: Omit<UpdateBody, 'credentials'> & {
    readonly organization_id?: string | undefined
    readonly credentials?: HashedCredentials | undefined
  },
  proofs: readonly { readonly value: string; readonly verified: boolean }[] = [],
): Promise<StoredIdentity> {
  const schema = schemaOf(ctx, body.schema_id || lockedIdentity.schema_id)
  const traits = checkTraits(schema, body.traits)
  const credentials = await listCredentials(ctx.db, lockedIdentity.id)
  const put = await importCredentials(
    ctx,
    { schema, traits, identity_id: lockedIdentity.id },
    body.credentials,
    credentials,
  )
  const account = {
    schema_id: schema.id,
    state: body.state ?? lockedIdentity.state,
    external_id: body.external_id || undefined,
    organization_id: body.organization_id,
    metadata_public: body.metadata_public ?? null,
    metadata_admin: body.metadata_admin ?? null,
  }
  const { identity } = await update(ctx, lockedIdentity.id, { traits, put, account, proofs })
  const replaced = Object.entries(body.credentials ?? {}).flatMap(([type, one]) =>
    one === undefined ? [] : [`credentials.${type}`],
  )
  c.set('changes', [...changedMembers(lockedIdentity, identity), ...replaced].join(', '))
  return identity
}

const RECORDED = [
  ...(['schema_id', 'state', 'external_id', 'organization_id'] as const),
  ...(['traits', 'metadata_public', 'metadata_admin'] as const),
]

const MOST_NAMED = 10
/** Another name could imitate a change, or fill the list. */
const PLAIN = /^[\w-]{1,40}$/

/** One level deep, such as `traits.email`. */
function changedMembers(before: StoredIdentity, after: StoredIdentity): string[] {
  const members = RECORDED.flatMap((name) => {
    const [old, now] = [before[name] ?? {}, after[name] ?? {}]
    if (isDeepStrictEqual(old, now)) return []
    if (!isObject(old) || !isObject(now)) return [withValue(name, now)]
    const members = Object.keys({ ...old, ...now }).filter((one) => !isDeepStrictEqual(old[one], now[one]))
    const isShown = members.length <= MOST_NAMED && members.every((one) => PLAIN.test(one))
    return isShown ? members.map((one) => withValue(`${name}.${one}`, now[one])) : [name]
  })
  return changesProof(before, after) ? [...members, 'verifiable_addresses'] : members
}

/** Auditors ask who was disabled, and who gave a role. Other values may be personal. */
function withValue(path: string, value: unknown): string {
  if (path !== 'state' && path !== 'metadata_public.roles') return path
  const words = [value].flat()
  const isPlain =
    words.length <= MOST_NAMED && words.every((one) => typeof one === 'string' && PLAIN.test(one))
  return isPlain ? `${path}: ${words.join(' ') || 'none'}` : path
}

function changesProof(before: StoredIdentity, { addresses }: StoredIdentity): boolean {
  const isProven = (id: string) => addresses.find((one) => one.id === id)?.verified_at !== undefined
  return before.addresses.some(({ id, verified_at }) => isProven(id) !== (verified_at !== undefined))
}

function documentOf(identity: StoredIdentity, credentials: readonly Credential[]): JsonObject {
  const {
    schema_id,
    traits,
    metadata_public,
    metadata_admin,
    state,
    external_id,
    organization_id,
    addresses,
  } = identity
  const password = credentials.find(({ type }) => type === 'password')
  const verifiable = addresses.filter(({ purpose }) => purpose === 'verification')
  return {
    schema_id,
    traits,
    metadata_public,
    metadata_admin,
    state,
    ...(external_id === undefined ? {} : { external_id }),
    ...(organization_id === undefined ? {} : { organization_id }),
    verifiable_addresses: verifiable.map(({ value, via, status, verified_at }) => ({
      value,
      via,
      status,
      verified: verified_at !== undefined,
    })),
    credentials: password ? { password: { config: password.config } } : {},
  }
}

/**
 * Kratos compatibility: ignores other members, unless they are to be removed and do not exist. Throws 400 for the id and
 * for credentials but the password hash, which have their own routes.
 */
function isEffective({ op, path }: PatchOperation): boolean {
  const [first = '', ...below] = pointerOf(path.toLowerCase())
  if (below.length > DEEPEST_PATH) throw badRequest(`A path is more than ${DEEPEST_PATH} levels deep.`)
  const isHash = first === 'credentials' && below.join('/') === 'password/config/hashed_password'
  if (CLOSED.has(first) && !isHash) throw badRequest(`${path} cannot be changed.`)
  if (Object.hasOwn(patchedBody.shape, first)) return true
  if (op === 'remove' && !KEPT.has(first)) throw badRequest(`${path} does not exist.`)
  return false
}

const KEPT = new Set([
  ...['schema_url', 'recovery_addresses'],
  ...['created_at', 'updated_at', 'state_changed_at'],
])

const CLOSED = new Set(['id', 'statechangedat', 'credentials'])

/** Deeper than an account may be nested. */
const DEEPEST_PATH = 64

function hashAfter(before: JsonObject, after: Json | undefined): { credentials?: Json } {
  const unchanged = JSON.stringify(before.credentials) === JSON.stringify(after)
  return unchanged || after === undefined ? {} : { credentials: after }
}
