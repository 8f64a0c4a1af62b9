import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { pathBelowBase } from '../config/base-url.ts'
import type { Context } from '../contract/contract.ts'
import { wantsSecondFactor } from '../sessions/aal.ts'
import { findLiveSession } from '../sessions/find.ts'
import { publicSession } from '../sessions/show.ts'
import type { Session } from '../wire/session.ts'
import { type Bindings, readCredential } from './request.ts'
import type { App } from './route.ts'

/** Serves the protocol inside another server, below the path of `serve.public.base_url`. */
export interface HttpHandlers {
  /**
   * Responds to a Web-standard request, with or without the path of the base URL. Pass the socket as
   * `{ incoming: request }` of Node, which is Hono's `c.env` there. Without it, all clients share the limits of one
   * address.
   */
  fetch(request: Request, bindings?: unknown): Promise<Response>
  /**
   * A listener for `node:http` and a middleware for Express, Connect and Vite. Install it before
   * body parsers. Calls `next` for paths outside of the base URL.
   */
  handler(request: IncomingMessage, response: ServerResponse, next?: (error?: Error) => void): void
  /**
   * The session of a request by its cookie or token. `undefined` without a valid session, and while
   * it needs a second factor. Throws if the database fails.
   */
  whoami(headers: Headers | IncomingHttpHeaders): Promise<Session | undefined>
}

interface Current {
  readonly ctx: Context
  readonly publicApp: App
}

export function createHttpHandlers(current: () => Current): HttpHandlers {
  const respond = async (request: Request, bindings?: unknown) =>
    current().publicApp.fetch(request, (bindings ?? {}) as Bindings)
  const listener = getRequestListener(respond, { overrideGlobalObjects: false })
  return {
    fetch: respond,
    handler(request, response, next) {
      // Connect and Express remove the path at which they mount a middleware.
      const { originalUrl = request.url ?? '/' } = request as { originalUrl?: string }
      if (next && pathBelowBase(current().ctx, originalUrl) === undefined) return next()
      void listener(request, response)
    },
    async whoami(headers) {
      const { ctx } = current()
      const read = (name: string) => headerOf(headers, name)
      const credential = readCredential(ctx, read)
      const foundSession = await findLiveSession(ctx, { credential })
      return foundSession && !wantsSecondFactor(ctx, foundSession)
        ? publicSession(ctx, foundSession)
        : undefined
    },
  }
}

function headerOf(headers: Headers | IncomingHttpHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  return headers[name]?.toString()
}
