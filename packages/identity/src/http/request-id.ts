import type { IncomingHttpHeaders } from 'node:http'
import { newId } from '../crypto/random.ts'

/** What proxies write. Nothing of it can act in a log, a header or a page. */
const USUAL = /^[\w.:=+/@-]{1,128}$/

/** The id of a request in logs, traces and its response: the `X-Request-Id` of a trusted proxy, or a new one. */
export function requestIdOf(
  { 'x-request-id': given }: IncomingHttpHeaders,
  isTrusted: () => boolean,
): string {
  return typeof given === 'string' && USUAL.test(given) && isTrusted() ? given : newId()
}
