import { publicUrl } from '../../config/base-url.ts'
import { writeRequest } from '../../config/outgoing-request.ts'
import type { WebHook, WebHookContext } from '../../config/web-hook.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { FormError, HookRefusal, messageOf, ProtocolError } from '../../errors/errors.ts'
import { failureCode, failureReason, fetchOf } from '../../events/call.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { publicIdentity } from '../../identities/show.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { publicSession } from '../../sessions/show.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { publicFlow } from '../form/public-flow.ts'
import { webHooksOf } from './hooks.ts'
import { type IdentityPatch, readAnswer } from './web-hook-answer.ts'

export async function runBefore(ctx: Context, event: HookEvent): Promise<void> {
  const hooks = webHooksOf(ctx.config.selfservice.flows[event.flow.kind].before.hooks)
  if (hooks.length === 0) return
  const opener = event.flow.kind === 'settings' ? await findLiveSession(ctx, event.caller) : undefined
  await callAll(ctx, hooks, { session: opener, ...event })
}

/** Stops at the first failure or rejection. */
export async function callAll(ctx: Context, hooks: readonly WebHook[], event: HookEvent): Promise<void> {
  for (const hook of hooks) await callWebHook(ctx, hook, event)
}

export function callAllAside(ctx: Context, hooks: readonly WebHook[], event: HookEvent): void {
  if (hooks.length > 0) ctx.background.run('web hooks', (signal) => callAll(until(ctx, signal), hooks, event))
}

/** Each hook sees the previous changes. Undefined without changes. Throws `FormError` for invalid traits. */
export async function changedByHooks(
  ctx: Context,
  hooks: readonly WebHook[],
  event: HookEvent & { readonly identity: StoredIdentity },
): Promise<StoredIdentity | undefined> {
  let { identity } = event
  for (const hook of hooks) {
    const patch = await callWebHook(ctx, hook, { ...event, identity }).catch((error: unknown) => {
      const isChanged = identity !== event.identity
      throw error instanceof HookRefusal && isChanged
        ? new HookRefusal(error.entries, identity.traits)
        : error
    })
    if (patch) identity = patched(identity, patch, ctx.now().toISOString())
  }
  if (identity === event.identity) return undefined
  const wrong = schemaNamed(ctx, identity).validate(identity.traits)
  if (wrong.length > 0) throw new FormError(wrong)
  return identity
}

/** Throws `FormError` if a hook named an unknown schema. */
export function schemaNamed(ctx: Context, { schema_id }: Pick<StoredIdentity, 'schema_id'>): IdentitySchema {
  const schema = ctx.schemas.find(schema_id)
  if (schema) return schema
  throw new FormError(messages.generic('This account cannot be created this way. Please try again later.'))
}

function patched(identity: StoredIdentity, patch: IdentityPatch, now: string): StoredIdentity {
  const { verifiable_addresses, external_id, schema_id, ...rest } = patch
  const { external_id: before, ...otherMembers } = identity
  const name = external_id === undefined ? before : (external_id ?? undefined)
  return {
    ...otherMembers,
    ...(rest as Partial<StoredIdentity>),
    ...(schema_id ? { schema_id } : {}),
    ...(name ? { external_id: name } : {}),
    addresses: verifiable_addresses ? withProven(identity, verifiable_addresses, now) : identity.addresses,
  }
}

function withProven(
  { addresses }: StoredIdentity,
  statements: NonNullable<IdentityPatch['verifiable_addresses']>,
  now: string,
): StoredIdentity['addresses'] {
  return addresses.map((address) => {
    const statement =
      address.purpose === 'verification' && statements.find(({ value }) => value === address.value)
    if (!statement || statement.verified === (address.verified_at !== undefined)) return address
    const { verified_at: _, ...unproven } = address
    return statement.verified
      ? { ...address, status: 'completed', verified_at: now }
      : { ...unproven, status: 'pending' }
  })
}

/**
 * Throws `HookRefusal` if the hook rejects, and `ProtocolError` 502, 504, 500 or 400 if it fails. Does not wait if
 * the response is ignored.
 */
export async function callWebHook(
  ctx: Context,
  hook: WebHook,
  event: HookEvent,
): Promise<IdentityPatch | undefined> {
  if (!hook.response.ignore) return await call(ctx, hook, event)
  ctx.background.run('web hooks', (signal) => call(until(ctx, signal), hook, event))
  return undefined
}

function until(ctx: Context, end: AbortSignal): Context {
  return {
    ...ctx,
    fetch: (input, { signal, ...init } = {}) =>
      ctx.fetch(input, { ...init, signal: AbortSignal.any(signal ? [signal, end] : [end]) }),
  }
}

async function call(ctx: Context, hook: WebHook, event: HookEvent): Promise<IdentityPatch | undefined> {
  // The URL may contain a secret.
  const about = { event: 'web_hook', hook: hook.id, host: new URL(hook.url).host, flow: event.flow.kind }
  try {
    const request = await requestOf(ctx, hook, event)
    return request && (await readAnswer(hook, await sendPatiently(ctx, request)))
  } catch (error) {
    if (error instanceof HookRefusal) throw error
    ctx.log.warn({ ...about, reason: reasonOf(error) }, 'a web hook failed')
    throw error instanceof ProtocolError ? error : failure(event, error)
  }
}

/** Allows for a function's cold start. */
const TIMEOUT_MS = 10_000
const PAUSES_MS = [100, 400]

/** Kratos compatibility: calls a busy receiver three times in total. */
async function sendPatiently(ctx: Context, request: WebHookRequest): Promise<Response> {
  for (const wait of PAUSES_MS) {
    const response = await send(ctx, request).catch((error: unknown) => {
      if (failureCode(error) === undefined || isTimeout(error)) throw error
    })
    if (response && !isBusy(response)) return response
    await response?.body?.cancel()
    await ctx.sleep(wait)
  }
  const last = await send(ctx, request)
  if (!isBusy(last)) return last
  await last.body?.cancel()
  throw new Error(`it responded with ${last.status} three times`)
}

async function send(ctx: Context, { url, ...init }: WebHookRequest): Promise<Response> {
  const fetch = fetchOf(ctx, { target: 'web_hook' })
  return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
}

/** Kratos compatibility: 501 is not retried. */
function isBusy({ status }: Response): boolean {
  return status === 429 || (status >= 500 && status !== 501)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause))
}

/** Kratos compatibility: a submission answered in JSON gets 400 with the code 500, except for scripts that sign in or up. */
function failure({ flow, caller, identity }: HookEvent, cause: unknown): ProtocolError {
  const signsIn = flow.kind === 'login' || flow.kind === 'registration'
  const inJson = flow.type === 'api' || (!signsIn && caller.json)
  const status = identity && inJson ? 400 : 500
  if (!isTimeout(cause)) return new ProtocolError({ status, code: 500, cause })
  const reason = 'Another service did not answer in time. Please try again in a minute.'
  return new ProtocolError({ status: 504, reason, cause })
}

function reasonOf(error: unknown): string {
  return error instanceof ProtocolError ? String(error.parts.cause ?? error.message) : failureReason(error)
}

interface HookEvent {
  readonly flow: Flow
  readonly caller: Caller
  readonly transient_payload?: JsonObject | undefined
  readonly identity?: StoredIdentity | undefined
  readonly session?: SessionAndIdentity | undefined
}

type WebHookRequest = NonNullable<Awaited<ReturnType<typeof requestOf>>>

/** Undefined if the body's function cancels. Rethrows its other errors. */
async function requestOf(ctx: Context, hook: WebHook, event: HookEvent) {
  const body = await bodyOf(hook, contextOf(ctx, event))
  if (!body) return undefined
  const request = writeRequest(hook, body)
  const { headers } = request
  // Lets receivers detect repeated calls.
  headers.set('Ory-Webhook-Trigger-ID', newId())
  if (!headers.has('X-Request-Id')) headers.set('X-Request-Id', event.caller.request_id)
  return { url: hook.url, ...request }
}

async function bodyOf({ body }: WebHook, ctx: WebHookContext): Promise<object | undefined> {
  let madeBody: unknown
  try {
    // The function must not change the original.
    madeBody = await body({ ctx: structuredClone(ctx) })
  } catch (error) {
    if (error instanceof Error && error.message === 'cancel') return undefined
    throw new Error(`its body failed: ${messageOf(error)}`)
  }
  if (typeof madeBody === 'object' && madeBody !== null) return madeBody
  throw new Error('its body is not an object')
}

function contextOf(
  ctx: Context,
  { flow, caller, identity, session, transient_payload }: HookEvent,
): WebHookContext {
  const { method, headers, cookies } = caller.raw
  const allowed = ctx.config.clients.web_hook.header_allowlist.map((name) => name.toLowerCase())
  return {
    flow: { ...publicFlow(flow), ...(transient_payload ? { transient_payload } : {}) },
    request_headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => allowed.includes(name.toLowerCase())),
    ),
    request_method: method,
    request_url: publicUrl(ctx, caller.url),
    request_cookies: cookies,
    ...(identity ? { identity: publicIdentity(ctx, identity) } : {}),
    ...(session ? { session: publicSession(ctx, session) } : {}),
  }
}
