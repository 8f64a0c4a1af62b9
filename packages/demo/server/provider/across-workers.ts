import { type DemoClient, errorResponse, type OfferedProviders, ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { createDemoHost, type DemoHost, providersPath } from './routes.ts'

// Demo providers keep their state in memory, so with several workers they run in the primary.

type Question = { readonly kind: 'clients' } | ({ readonly kind: 'request' } & PlainRequest)

interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly [string, string][]
  readonly body: Uint8Array | undefined
}

interface PlainResponse {
  readonly status: number
  readonly headers: readonly [string, string][]
  readonly body: Uint8Array
}

export function answerWorkers(
  public_url: string,
  offered: OfferedProviders,
): (question: unknown) => Promise<unknown> {
  const { clients, routes } = createDemoHost(public_url, offered)
  const app = new Hono().route('/demo', routes)
  app.onError((error) => {
    if (error instanceof ProductError) return errorResponse(error)
    throw error
  })
  return async (question) => {
    const parsedQuestion = question as Question
    if (parsedQuestion.kind === 'clients') return clients
    const { url, method, headers, body } = parsedQuestion
    const init = { method, headers: [...headers], ...(body && { body: Buffer.from(body) }) }
    return await toPlain(await app.request(url, init))
  }
}

export async function askPrimary(
  public_url: string,
  ask: (question: unknown) => Promise<unknown>,
): Promise<DemoHost> {
  const clients = (await ask({ kind: 'clients' } satisfies Question)) as readonly DemoClient[]
  const forward = async (request: Request): Promise<Response> => {
    const { url, method, headers, signal } = request
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
    const question: Question = { kind: 'request', url, method, headers: [...headers], body }
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    return fromPlain((await Promise.race([ask(question), aborted])) as PlainResponse)
  }
  const routes = new Hono()
  for (const path of ['/providers/*', '/api/consent/*']) routes.all(path, (c) => forward(c.req.raw))
  return {
    clients,
    async fetch(input, init) {
      const request = new Request(input, init)
      const isOurs = request.url.startsWith(`${public_url}${providersPath}/`)
      return isOurs ? await forward(request) : await fetch(request)
    },
    routes,
  }
}

async function toPlain(response: Response): Promise<PlainResponse> {
  const { status, headers } = response
  return { status, headers: [...headers], body: new Uint8Array(await response.arrayBuffer()) }
}

function fromPlain({ status, headers, body }: PlainResponse): Response {
  const isEmpty = [204, 205, 304].includes(status)
  return new Response(isEmpty ? null : Buffer.from(body), { status, headers: [...headers] })
}
