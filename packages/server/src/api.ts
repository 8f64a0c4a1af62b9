import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import { type AccountParts, accountRoutes } from './account/routes.ts'
import { openApi } from './http/openapi.ts'
import type { Product } from './product/product.ts'

export interface ProductApiParts extends AccountParts {
  /** The product's own routes. */
  readonly ownApi: ReturnType<NonNullable<Product['api']>> | undefined
  readonly isDocumented: boolean
  readonly name: string
}

/** The account area's calls, by path and method. */
export type AccountApi = ExtractSchema<ReturnType<typeof accountApi>>

/** Everything below `/api/v1`. */
export function productApi(parts: ProductApiParts): Hono {
  const api = new Hono()
  const routes = accountApi(parts) as Hono
  if (parts.ownApi) routes.route('/', parts.ownApi)
  api.route('/', routes)
  if (parts.isDocumented) {
    const document = openApi(routes, { title: parts.name, version: '1', base: '/api/v1' })
    api.get('/openapi.json', (c) => c.json(document))
  }
  return api
}

function accountApi(parts: AccountParts) {
  return new Hono().route('/account', accountRoutes(parts))
}
