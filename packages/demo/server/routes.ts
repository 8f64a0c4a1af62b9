import type { HttpBindings } from '@hono/node-server'
import type { Identity } from '@ostiary/identity'
import { isLoopback } from '@ostiary/identity/serving'
import { ProductError } from '@ostiary/server/demo'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Changes } from './changes.ts'
import { type DemoMail, demoInbox } from './inbox.ts'
import { createPeople, type PeopleParts } from './people.ts'
import type { DemoHost } from './provider/routes.ts'
import type { Switches } from './switches.ts'
import type { Wire } from './wire.ts'

export interface RouteParts {
  readonly listMails: Identity['listMails']
  readonly listPreviews: () => readonly DemoMail[]
  readonly providers: Pick<DemoHost, 'clients' | 'routes' | 'remember'>
  readonly changes: Changes
  /** For the panel. */
  readonly wire?: Wire
  readonly people?: Omit<PeopleParts, 'providers'>
  readonly switches?: Switches | undefined
}

const SHOWN_MAILS = 100

export function demoRoutes(
  { listMails, listPreviews, providers, changes, wire, switches, ...parts }: RouteParts,
  public_url: URL,
): Hono {
  const people = parts.people && createPeople({ providers, ...parts.people })
  const listShown = async () => {
    const mails = await listMails(SHOWN_MAILS)
    return mails.filter(
      (mail) => (people?.isForVisitor(mail) ?? true) && (switches?.hasArrived(mail) ?? true),
    )
  }
  const app = new Hono()
  app.use(ownHostsOnly(public_url))
  app.route('/', demoInbox({ name: 'mails', list: listShown, public_url }))
  app.route('/', demoInbox({ name: 'emails', list: listPreviews, public_url }))
  for (const path of ['/api/changes', '/api/wire', '/api/people/*', '/api/switches'])
    app.use(path, ownOriginOnly(public_url))
  app.on(['POST', 'PATCH', 'DELETE'], '/api/*', async (_, next) => {
    await next()
    changes.announce()
  })
  app.route('/api/changes', changes.routes)
  if (wire) app.route('/', wire.routes)
  if (people) app.route('/api/people', people.routes)
  if (switches) app.route('/api/switches', switches.routes)
  app.route('/', providers.routes)
  return app
}

/** Pages compare stored times with the response's `Date`. */
export function sendDemoTime(now: () => Date): MiddlewareHandler {
  return async (c, next) => {
    await next()
    c.header('Date', now().toUTCString())
  }
}

/** These calls need no cookies, so any page could make a browser send them. Other programs send no `Origin`. */
function ownOriginOnly({ origin }: URL): MiddlewareHandler {
  return async (c, next) => {
    if ((c.req.header('origin') ?? origin) !== origin)
      throw new ProductError('forbidden', 403, 'The demo is changed by its own pages only')
    await next()
  }
}

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|cf-.*|true-client-ip)$/

/** With DNS rebinding, another site's name could read the demo. */
export function ownHostsOnly(public_url: URL): MiddlewareHandler {
  const ownHosts = [public_url.hostname, 'localhost', '127.0.0.1', '[::1]']
  return async (c, next) => {
    const { hostname } = new URL(c.req.url)
    if (!ownHosts.includes(hostname))
      throw new ProductError('forbidden', 403, `The demo is shown at ${public_url.origin} only`)
    // A proxy or container may forward other machines' clients.
    const { socket, httpVersion } = (c.env as Partial<HttpBindings>)?.incoming ?? {}
    const peer = socket?.remoteAddress
    // An nginx without settings adds no header.
    const isForwarded =
      httpVersion === '1.0' || Object.keys(c.req.header()).some((name) => FORWARDED.test(name))
    if (isForwarded || (peer !== undefined && !isLoopback(peer)))
      throw new ProductError('forbidden', 403, 'The demo is shown on its own machine only')
    await next()
  }
}
