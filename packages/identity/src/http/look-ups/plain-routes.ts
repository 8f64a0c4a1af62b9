import type { Context } from '../../contract/contract.ts'
import { assertCapacity, beginsWork } from './load-shedding.ts'
import type { PlainRequest, PlainResponse } from './plain-response.ts'
import { plainError } from './plain-response.ts'
import { plainWhoami } from './whoami.ts'

/**
 * Responds without a web framework, whose objects cost more than what these requests need: a session look-up, and a
 * rejection under load, which must leave the processor to the accepted requests. Undefined if a route must respond.
 */
export async function plainRoutes(ctx: Context, request: PlainRequest): Promise<RoutedResponse | undefined> {
  const { method, path, headers, request_id } = request
  // The routes add the headers for other origins.
  if (method !== 'GET' || ctx.config.serve.public.cors.enabled) return undefined
  if (path === WHOAMI) return routed(WHOAMI, await plainWhoami(ctx, request))
  const [pathname = ''] = path.split('?', 1)
  if (!beginsWork(pathname)) return undefined
  try {
    await assertCapacity(ctx, pathname, (name) => headers[name]?.toString())
    return undefined
  } catch (error) {
    const refused = plainError(ctx, { method, path: pathname, request_id }, error)
    return routed(pathname.replace(SESSION, '/sessions/*'), refused)
  }
}

/** The response, and the template of the route that it stands for. */
export interface RoutedResponse extends PlainResponse {
  readonly route: string
}

const WHOAMI = '/sessions/whoami'
/** Of the paths that begin work only these hold an id. */
const SESSION = /^\/sessions\/.*/

function routed(route: string, response: PlainResponse | undefined): RoutedResponse | undefined {
  return response && { ...response, route }
}
