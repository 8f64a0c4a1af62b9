import { publicUrl } from '../../config/base-url.ts'
import { headersOf, writeBody } from '../../config/outgoing-request.ts'
import type { WebHook, WebHookContext } from '../../config/web-hook.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { messageOf } from '../../errors/errors.ts'
import { publicIdentity } from '../../identities/show.ts'
import { publicSession } from '../../sessions/show.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { publicFlow } from '../form/public-flow.ts'

export interface HookEvent {
  readonly flow: Flow
  readonly caller: Caller
  readonly transient_payload?: JsonObject | undefined
  readonly identity?: StoredIdentity | undefined
  readonly session?: SessionAndIdentity | undefined
}

export interface WebHookRequest {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body?: string
}

/** Rethrows errors of the body's function. */
export async function writeRequest(
  ctx: Context,
  hook: WebHook,
  event: HookEvent,
): Promise<WebHookRequest | 'cancelled'> {
  const body = await bodyOf(hook, contextOf(ctx, event))
  if (body === 'cancelled') return 'cancelled'
  const { url, method } = hook
  const headers = headersOf(hook)
  // Lets receivers detect repeated calls.
  headers.set('Ory-Webhook-Trigger-ID', newId())
  if (!headers.has('X-Request-Id')) headers.set('X-Request-Id', event.caller.request_id)
  return { url, method, headers, ...writeBody(hook, body.made) }
}

async function bodyOf(
  { body }: WebHook,
  ctx: WebHookContext,
): Promise<{ readonly made: object } | 'cancelled'> {
  let madeBody: unknown
  try {
    // The function must not change the original.
    madeBody = await body({ ctx: structuredClone(ctx) })
  } catch (error) {
    if (error instanceof Error && error.message === 'cancel') return 'cancelled'
    throw new Error(`its body failed: ${messageOf(error)}`)
  }
  if (typeof madeBody === 'object' && madeBody !== null) return { made: madeBody }
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
