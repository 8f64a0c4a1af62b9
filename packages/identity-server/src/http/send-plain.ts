import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlainResponse, RoutedResponse } from '@my-app/identity/serving'
import { assignRoute } from '@my-app/identity/serving'

/** Writes the response to a request that no router saw, below `prefix`; `headers` are those of every response. */
export async function sendPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { route, status, headers, body }: RoutedResponse,
  { prefix = '', always }: { readonly prefix?: string; readonly always: PlainResponse['headers'] },
): Promise<void> {
  assignRoute(request, prefix + route)
  // Rejections under load come in groups already.
  if (status < 500) await turnToWrite()
  // All headers at once: Node needs a multiple of the time for single ones.
  response.writeHead(status, { ...always, ...headers }).end(body)
}

/** Responses that are written together. More would only delay the first of them. */
const TOGETHER = 16

const waiting: (() => void)[] = []

/**
 * Resolves when this turn of the event loop has read its requests, or enough of them. Writing wakes the client or the
 * network's part of the system, which takes the processor and its caches from the next look-up. Written in a row, with
 * no look-up between them, responses cost half as much.
 */
function turnToWrite(): Promise<void> {
  return new Promise((resolve) => {
    const count = waiting.push(resolve)
    if (count === 1) setImmediate(writeAll)
    else if (count === TOGETHER) writeAll()
  })
}

function writeAll(): void {
  for (const write of waiting.splice(0)) write()
}
