import type { WebHook, WebHookContext } from '../../config/web-hook.ts'
import { contentTypeOf } from '../../config/web-hook.ts'
import type { Caller, Context } from '../../contract.ts'
import { newId } from '../../crypto/random.ts'
import { publicIdentity } from '../../identities/show.ts'
import { publicSession } from '../../sessions/show.ts'
import type { Flow } from '../../storage/flows.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { publicFlow } from '../public-flow.ts'
import { publicUrl } from '../urls.ts'

/** What a web hook is told of. */
export interface Told {
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

/** What is sent, or `cancelled` where the body's function says so. Throws what that function throws. */
export async function writeRequest(
  ctx: Context,
  hook: WebHook,
  told: Told,
): Promise<WebHookRequest | 'cancelled'> {
  const type = contentTypeOf(hook.headers)
  const body = await bodyOf(hook, contextOf(ctx, told))
  if (body === 'cancelled') return 'cancelled'
  const { url, method } = hook
  const headers = headersOf(hook, type)
  // RFC 9110, 9.3.1: a body of these means nothing.
  if (method === 'GET' || method === 'HEAD') return { url, method, headers }
  return {
    url,
    method,
    headers,
    body: type === 'application/json' ? JSON.stringify(body.made) : formOf(body.made),
  }
}

async function bodyOf(
  { body }: WebHook,
  ctx: WebHookContext,
): Promise<{ readonly made: object } | 'cancelled'> {
  let made: unknown
  try {
    // A copy: what the function changes in it stays with it.
    made = await body({ ctx: structuredClone(ctx) })
  } catch (error) {
    if (error instanceof Error && error.message === 'cancel') return 'cancelled'
    throw new Error(`its body failed: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof made === 'object' && made !== null) return { made }
  throw new Error('its body is no object')
}

function contextOf(
  ctx: Context,
  { flow, caller, identity, session, transient_payload }: Told,
): WebHookContext {
  const { method, headers, cookies } = caller.sent
  const told = ctx.config.clients.web_hook.header_allowlist.map((name) => name.toLowerCase())
  return {
    flow: { ...publicFlow(flow), ...(transient_payload ? { transient_payload } : {}) },
    request_headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => told.includes(name.toLowerCase())),
    ),
    request_method: method,
    request_url: publicUrl(ctx, caller.url),
    request_cookies: cookies,
    ...(identity ? { identity: publicIdentity(ctx, identity) } : {}),
    ...(session ? { session: publicSession(ctx, session) } : {}),
  }
}

function headersOf({ headers, auth }: WebHook, type: string): Headers {
  const result = new Headers({
    ...headers,
    'Content-Type': type,
    // By this whoever is called more than once knows a call again.
    'Ory-Webhook-Trigger-ID': newId(),
  })
  if (auth?.type === 'basic_auth') {
    const { user, password } = auth.config
    result.set('Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`)
  } else if (auth?.config.in === 'cookie') {
    const own = `${auth.config.name}=${auth.config.value}`
    const before = result.get('Cookie')
    result.set('Cookie', before === null ? own : `${before}; ${own}`)
  } else if (auth) {
    result.set(auth.config.name, auth.config.value)
  }
  return result
}

function formOf(made: object): string {
  const pairs = Object.entries(made).map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value]
    throw new Error(`its body is a form, and ${name} is no text`)
  })
  return new URLSearchParams(pairs).toString()
}
