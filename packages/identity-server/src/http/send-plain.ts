import type { IncomingMessage, ServerResponse } from 'node:http'
import { assignRoute, type PlainResponse, type RoutedResponse } from '@ostiary/identity/serving'

export async function sendPlain(
  request: IncomingMessage,
  response: ServerResponse,
  { route, status, headers, body }: RoutedResponse,
  { prefix = '', baseHeaders }: { readonly prefix?: string; readonly baseHeaders: PlainResponse['headers'] },
): Promise<void> {
  assignRoute(request, prefix + route)
  // Rejections under load already come in groups.
  if (status < 500) await turnToWrite()
  // Headers one by one take several times as long.
  response.writeHead(status, { ...baseHeaders, ...headers }).end(body)
}

/** Responses written together. More would delay the first. */
const BATCH_SIZE = 16

const pendingWrites: (() => void)[] = []

/**
 * Resolves when this turn of the event loop has read its requests, or enough of them. Writing wakes the
 * client or the network stack, which take the processor and its caches from the next look-up. In a row,
 * responses cost half as much.
 */
function turnToWrite(): Promise<void> {
  return new Promise((resolve) => {
    const count = pendingWrites.push(resolve)
    if (count === 1) setImmediate(writeAll)
    else if (count === BATCH_SIZE) writeAll()
  })
}

function writeAll(): void {
  for (const write of pendingWrites.splice(0)) write()
}
