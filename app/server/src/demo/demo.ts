import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { ProductError } from '../http/errors.ts'
import type { HeaderSets } from '../http/header-sets.ts'
import { isLoopback } from '../settings/env-values.ts'
import type { PreviewParts } from './email-previews.ts'
import { emailPreviews } from './email-previews.ts'
import type { InboxParts } from './inbox.ts'
import { demoInbox } from './inbox.ts'
import type { PeopleParts } from './people.ts'
import { createPeople } from './people.ts'
import type { DemoHost } from './provider/routes.ts'
import type { Wire } from './wire.ts'
import type { World } from './world.ts'

export interface DemoParts {
  readonly listMails: InboxParts['listMails']
  readonly providers: Pick<DemoHost, 'clients' | 'routes' | 'remember'>
  readonly previews?: PreviewParts
  /** For the panel. */
  readonly wire?: Wire
  readonly people?: Omit<PeopleParts, 'providers'>
  readonly world?: World | undefined
}

export function demoRoutes(
  { listMails, providers, previews, wire, world, ...parts }: DemoParts,
  public_url: URL,
  { mail }: HeaderSets,
): Hono {
  const people = parts.people && createPeople({ providers, ...parts.people })
  const listShown: typeof listMails = async (limit) => {
    const mails = await listMails(limit)
    return mails.filter((mail) => (people?.isForVisitor(mail) ?? true) && (world?.hasArrived(mail) ?? true))
  }
  const app = new Hono()
  app.use(ownHostsOnly(public_url))
  app.route('/', demoInbox({ listMails: listShown, public_url, mailHeaders: mail }))
  if (previews) app.route('/emails', emailPreviews(previews, mail))
  for (const path of ['/api/wire', '/api/people/*', '/api/world']) app.use(path, ownOriginOnly(public_url))
  if (wire) app.route('/', wire.routes)
  if (people) app.route('/api/people', people.routes)
  if (world) app.route('/api/world', world.routes)
  app.route('/', providers.routes)
  return app
}

/** These calls need no cookies, so any page could make a browser send them. Other programs send no `Origin`. */
function ownOriginOnly({ origin }: URL): MiddlewareHandler {
  return async (c, next) => {
    if ((c.req.header('origin') ?? origin) !== origin)
      throw new ProductError('forbidden', 403, 'The demo is changed by its own pages only')
    await next()
  }
}

const FORWARDED = ['Forwarded', 'Via', 'X-Forwarded-For']

/** With DNS rebinding, another site's name could read the demo. */
export function ownHostsOnly(public_url: URL): MiddlewareHandler {
  const own = [public_url.hostname, 'localhost', '127.0.0.1', '[::1]']
  return async (c, next) => {
    const { hostname } = new URL(c.req.url)
    if (!own.includes(hostname))
      throw new ProductError('forbidden', 403, `The demo is shown at ${public_url.origin} only`)
    // A proxy or container may forward other machines' clients.
    const peer = (c.env as Partial<HttpBindings>)?.incoming?.socket.remoteAddress
    const isForwarded = FORWARDED.some((name) => c.req.header(name) !== undefined)
    if (isForwarded || (peer !== undefined && !isLoopback(peer)))
      throw new ProductError('forbidden', 403, 'The demo is shown on its own machine only')
    await next()
  }
}
