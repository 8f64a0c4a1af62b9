import { vi } from 'vitest'

export interface Call {
  readonly route: string
  readonly url: URL
  readonly init: RequestInit
  readonly body: Record<string, unknown>
}

export type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'no answer'
  | 'never'
type Handler = Answer | ((call: Call) => Answer | Promise<Answer>)

/**
 * A fake network that answers by `METHOD /path` and records calls. Lists of answers are used in order, and the
 * last one stays. By default no user is logged in, and the browser's clock is right.
 */
export function fakeService(routes: Record<string, Handler | Handler[]> = {}, clockLead = 0) {
  const calls: Call[] = []
  const table = new Map<string, Handler[]>([
    ['GET /sessions/whoami', [{ status: 401, body: { error: { code: 401 } } }]],
    ['GET /api/v1/code-host/users/octocat/repos', [{ status: 200, body: [] }]],
    ['GET /api/v1/cash/protected_user', [{ status: 200, body: [] }]],
  ])
  const on = (route: string, answers: Handler | Handler[]) => {
    table.set(route, Array.isArray(answers) ? [...answers] : [answers])
  }
  for (const [route, answers] of Object.entries(routes)) on(route, answers)

  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const call = readCall(input, init)
    calls.push(call)
    const waiting = table.get(call.route)
    if (!waiting?.[0]) throw new Error(`No answer for ${call.route}`)
    const handler = waiting.length > 1 ? (waiting.shift() ?? waiting[0]) : waiting[0]
    const given = typeof handler === 'function' ? await handler(call) : handler
    return await answer(given, { Date: serverDate(clockLead).toISOString() })
  })
  const streams = fakeStreams()
  return { on, streams, calls: (route: string) => calls.filter((call) => call.route === route) }
}

/** The open streams of events. */
function fakeStreams() {
  const open = new Set<EventSource>()
  class FakeEventSource {
    onmessage = null
    onerror = null
    constructor() {
      open.add(this as unknown as EventSource)
    }
    close() {
      open.delete(this as unknown as EventSource)
    }
  }
  vi.stubGlobal('EventSource', FakeEventSource)
  return {
    open,
    announce: () => open.forEach((one) => void one.onmessage?.(new MessageEvent('message'))),
    fail: () => open.forEach((one) => void one.onerror?.(new Event('error'))),
  }
}

function readCall(input: string, init: RequestInit): Call {
  const url = new URL(input, location.href)
  const path = url.pathname.replace(/^\/\.ory/, '')
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {}
  return { route: `${init.method ?? 'GET'} ${path}`, url, init, body }
}

/** `clockLead`: milliseconds by which the browser's clock is ahead. */
export function serverDate(clockLead: number): Date {
  return new Date(Date.now() - clockLead)
}

async function answer(given: Answer, headers: Record<string, string>): Promise<Response> {
  if (given === 'never') return await new Promise(() => {})
  if (given === 'no answer') throw new TypeError('Failed to fetch')
  const body = given.body === undefined ? null : JSON.stringify(given.body)
  return new Response(body, {
    status: given.status,
    headers: { 'Content-Type': 'application/json', ...headers, ...given.headers },
  })
}
