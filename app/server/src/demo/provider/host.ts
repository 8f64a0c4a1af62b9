import type { Hono } from 'hono'
import type { ProviderId } from '../../settings/provider-ids.ts'
import type { DemoClient } from './providers.ts'
import { createDemoProviders } from './providers.ts'
import { demoProviderRoutes } from './routes.ts'

/** The demo's providers as the rest of the product knows them. */
export interface DemoHost {
  client(id: ProviderId): DemoClient
  /** Like the global `fetch`, but calls to a demo provider stay on this machine. */
  readonly fetch: typeof fetch
  /** For the paths below `/demo`. */
  readonly routes: Hono
}

export function createDemoHost(public_url: string): DemoHost {
  const providers = createDemoProviders(public_url)
  const routes = demoProviderRoutes({ providers, public_url: new URL(public_url) })
  return { client: providers.client, fetch: providers.fetch, routes }
}
