import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { atEnd } from '../kit/databases.ts'
import { listenOnLoopback } from './loopback.ts'

export interface HookCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape
  readonly body: any
}

export interface HookAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly silent?: true
  readonly after?: Promise<void>
}

export interface HookReceiver {
  readonly url: string
  readonly calls: HookCall[]
  readonly answers: Map<string, HookAnswer>
}

export async function startHookReceiver(): Promise<HookReceiver> {
  const calls: HookCall[] = []
  const answers = new Map<string, HookAnswer>()
  const { url, close } = await listenOnLoopback(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const sent = await text(request)
    const isJson = headers['content-type'] === 'application/json' && sent !== ''
    calls.push({ method, path, headers, body: isJson ? JSON.parse(sent) : sent })
    const answer = answers.get(path) ?? {}
    if (answer.silent) return
    await answer.after
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.status === 204 ? undefined : JSON.stringify(answer.body ?? {}))
  })
  atEnd(close)
  return { url, calls, answers }
}
