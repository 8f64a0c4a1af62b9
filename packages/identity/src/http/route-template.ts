import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Bindings } from './request.ts'

/** On the request itself: a weak map of requests would be walked by each garbage collection. */
const TEMPLATE = Symbol('route template')

type Incoming = object & { [TEMPLATE]?: string }

/** Notes which route answered, for metrics and traces: paths hold ids, templates do not. */
export function noteRoute(): MiddlewareHandler<{ Bindings: Bindings }> {
  return async (c, next) => {
    await next()
    // Undefined for calls within the process.
    const { incoming } = c.env ?? {}
    if (incoming) assignRoute(incoming, routePath(c))
  }
}

/** The same, where no router chose the route. */
export function assignRoute(incoming: Incoming, template: string): void {
  incoming[TEMPLATE] = template
}

/** The template of the route that answered a request of Node's server; `*` if none did. */
export function templateOf(incoming: Incoming): string {
  return incoming[TEMPLATE] ?? '*'
}
