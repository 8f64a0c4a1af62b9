import { Hono } from 'hono'
import type { HeaderSets } from '../http/header-sets.ts'
import type { InboxParts } from './inbox.ts'
import { demoInbox } from './inbox.ts'
import type { DemoHost } from './provider/host.ts'

export interface DemoParts {
  readonly listMails: InboxParts['listMails']
  readonly providers: Pick<DemoHost, 'routes'>
}

/** Everything below `/demo`. */
export function demoRoutes({ listMails, providers }: DemoParts, public_url: URL, { mail }: HeaderSets): Hono {
  const app = new Hono()
  app.route('/', demoInbox({ listMails, public_url, mailHeaders: mail }))
  app.route('/', providers.routes)
  return app
}
