import { randomBytes } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Identity } from '@ostiary/identity'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Changes } from './changes.ts'
import { maskForm, maskJson, maskUrl } from './mask.ts'

/** A call of the identity service or of a demo provider. Secrets are placeholders such as `$PASSWORD`. */
export interface RecordedCall extends Awaited<ReturnType<typeof describe>> {
  readonly seq: number
  readonly time: string
  readonly duration_ms: number
}

interface Text {
  readonly id: number
  readonly text: string
}

interface WireForm {
  readonly state?: unknown
  readonly messages: readonly Text[]
  readonly nodes: readonly {
    readonly group: string
    readonly name: string
    readonly type: string
    readonly label?: string
    readonly messages: readonly Text[]
  }[]
}

export type Wire = ReturnType<typeof createWire>

const COOKIE = 'demo_browser'
const COOKIE_OPTIONS = { path: '/', httpOnly: true, sameSite: 'Lax' } as const
const MAX_ENTRIES = 200
const MAX_BODY = 8 * 1024
/** Larger bodies are not read. */
const MAX_READ = 128 * 1024
const recorded = /^\/(\.ory|demo\/providers)\//
/** Files of providers' pages say nothing about the protocol. */
const ignored = /\.well-known|\/jwks|\/webauthn\.js$/

/** A header of the panel's own calls, which would only confuse. */
const UNRECORDED = 'Demo-Unrecorded'

/** Lets a route respond to browsers of the demo, so that the panel shows their calls. Others keep the fast path. */
export function unlessRecorded(respond: Identity['respond']): Identity['respond'] {
  // Not async, which would cost each look-up another turn.
  return (request) =>
    request.headers.cookie?.includes(`${COOKIE}=`) ? Promise.resolve(undefined) : respond(request)
}

interface WireParts extends Pick<Changes, 'announce'> {
  readonly identity: Pick<Identity, 'publicApp'>
  readonly now: () => Date
}

/** Keeps the last calls of each browser in memory. Visitors read only the calls of their browser. */
export function createWire({ identity, now, announce }: WireParts) {
  const entries: { readonly browser: string; readonly entry: RecordedCall }[] = []
  // A page that stays open while the server restarts asks for the calls after its last one.
  let seq = now().getTime()
  const record: MiddlewareHandler = async (c, next) => {
    const browser = getCookie(c, COOKIE)
    if (!recorded.test(c.req.path)) {
      await next()
      if (!browser && isPage(c)) setCookie(c, COOKIE, randomBytes(16).toString('base64url'), COOKIE_OPTIONS)
      return
    }
    if (!browser || ignored.test(c.req.path) || c.req.header(UNRECORDED)) return next()
    const [time, started] = [now().toISOString(), performance.now()]
    const request = await readBody(c.req.raw)
    await next()
    const duration_ms = Math.round(performance.now() - started)
    const described = await describe(c, request)
    entries.push({ browser, entry: { seq: ++seq, time, duration_ms, ...described } })
    if (entries.length > MAX_ENTRIES) entries.shift()
    announce()
  }
  const routes = new Hono()
  routes.get('/api/wire', async (c) => {
    const browser = getCookie(c, COOKIE)
    const after = Number(c.req.query('after')) || 0
    const ownEntries = entries.filter((one) => one.browser === browser && one.entry.seq > after)
    const session = await sessionOf(identity, c)
    return c.json({ entries: ownEntries.map(({ entry }) => entry), session, now: now().toISOString() })
  })
  routes.delete('/api/wire', (c) => {
    const browser = getCookie(c, COOKIE)
    entries.splice(0, Infinity, ...entries.filter((one) => one.browser !== browser))
    return c.body(null, 204)
  })
  return { record, routes }
}

function isPage(c: Context): boolean {
  return c.req.header('accept')?.includes('text/html') === true && !c.req.path.startsWith('/api/')
}

async function sessionOf({ publicApp }: Pick<Identity, 'publicApp'>, c: Context): Promise<unknown> {
  const headers = { cookie: c.req.header('cookie') ?? '' }
  const response = await publicApp.request('/sessions/whoami', { headers })
  return response.ok ? maskJson(await response.json()) : null
}

async function describe(c: Context, body: string) {
  const { res } = c
  const url = new URL(c.req.url)
  const received = await readBody(res)
  const json = parseJson(received)
  const [request, response] = [mask(body), mask(received)]
  const location = res.headers.get('location')
  return {
    id: requestId(c),
    method: c.req.method,
    path: maskUrl(url.pathname + url.search),
    status: res.status,
    status_text: STATUS_CODES[res.status] ?? '',
    accept: c.req.header('accept') ?? '',
    cookies_sent: Object.keys(getCookie(c)),
    cookies_set: res.headers.getSetCookie().map(nameAndFlags),
    ...(request && { request }),
    ...(response && { response }),
    ...(location !== null && { location: maskUrl(location) }),
    ...flowOf(url, json, location),
  }
}

function requestId(c: Context): string {
  const header = (c.env as Partial<HttpBindings>)?.outgoing?.getHeader('X-Request-Id')
  return typeof header === 'string' ? header : randomBytes(8).toString('hex')
}

interface FlowJson {
  readonly id?: string
  readonly state?: unknown
  readonly ui?: { readonly messages?: readonly Text[]; readonly nodes: readonly NodeJson[] }
}

interface NodeJson {
  readonly group: string
  readonly messages: readonly Text[]
  readonly attributes: { readonly name?: string; readonly id?: string; readonly type?: string }
  readonly meta: { readonly label?: Text }
}

function flowOf(url: URL, json: unknown, location: string | null): { flow_id?: string; form?: WireForm } {
  const { id, state, ui } = (json ?? {}) as FlowJson
  const next = location && URL.canParse(location, url.href) ? new URL(location, url).searchParams : undefined
  const inUrl = url.searchParams.get('flow') ?? url.searchParams.get('id') ?? next?.get('flow')
  const flow_id = inUrl ?? (ui && id)
  if (!ui) return flow_id ? { flow_id } : {}
  const nodes = ui.nodes.map(({ group, messages, attributes: { name, id, type }, meta: { label } }) => ({
    ...{ group, messages: messages.map(brief) },
    ...{ name: name ?? id ?? '', type: type ?? 'text', ...(label && { label: label.text }) },
  }))
  return { ...(flow_id && { flow_id }), form: { state, nodes, messages: (ui.messages ?? []).map(brief) } }
}

function brief({ id, text }: Text): Text {
  return { id, text }
}

async function readBody(message: Request | Response): Promise<string> {
  const type = message.headers.get('content-type') ?? ''
  const isTooLarge = Number(message.headers.get('content-length') ?? 0) > MAX_READ
  if (!message.body || isTooLarge || !/json|x-www-form-urlencoded/.test(type)) return ''
  // The upload may end early.
  return await message
    .clone()
    .text()
    .catch(() => '')
}

function mask(body: string): string {
  const json = parseJson(body)
  // Malformed JSON, in which no secret can be found.
  if (json === undefined && /^\s*[{[]/.test(body)) return ''
  const masked = json === undefined ? maskForm(body) : maskJson(json)
  return body && JSON.stringify(masked, undefined, 2).slice(0, MAX_BODY)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function nameAndFlags(line: string): string {
  const [pair = '', ...flags] = line.split(';')
  return [pair.split('=', 1)[0], ...flags.map((flag) => flag.trim())].join('; ')
}
