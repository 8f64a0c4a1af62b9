import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import { type AccountParts, accountRoutes } from './account/routes.ts'
import { openApi } from './http/openapi.ts'
import type { Product, ProductConfig } from './product/product.ts'
import type { Settings } from './settings/env.ts'

export interface ProductApiParts extends AccountParts {
  readonly config: ProductConfig
  readonly settings: Settings
  /** The product's own routes. */
  readonly ownApi: ReturnType<NonNullable<Product['api']>> | undefined
}

/** The account area's calls, by path and method. */
export type AccountApi = ExtractSchema<ReturnType<typeof accountApi>>

/** Everything below `/api/v1`. Documented outside production. */
export function productApi(parts: ProductApiParts): Hono {
  const routes = accountApi(parts) as Hono
  if (parts.ownApi) routes.route('/', parts.ownApi)
  const api = new Hono().route('/', routes)
  if (parts.settings.production) return api
  const document = openApi(routes, parts.config.name)
  return api.get('/openapi.json', (c) => c.json(document))
}

function accountApi(parts: AccountParts) {
  return new Hono().route('/account', accountRoutes(parts))
}
