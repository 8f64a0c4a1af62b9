import type { ProductTools } from '@my-app/identity'
import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import { name } from '../../../app.config.ts'
import type { AccountParts } from './account/routes.ts'
import { accountRoutes } from './account/routes.ts'
import { cashRoutes } from './cash/routes.ts' // sample
import type { CodeHost } from './code-host/client.ts' // sample
import { codeHostRoutes } from './code-host/routes.ts' // sample
import { openApi } from './http/openapi.ts'
import type { SessionCheck } from './session/session.ts'

export interface ProductApiParts extends AccountParts {
  readonly session: SessionCheck
  readonly product: ProductTools
  readonly codeHost: CodeHost // sample
  readonly dashboard_user: string // sample
  readonly isDocumented: boolean
}

/** Everything below `/api/v1`, by path and method. The web app imports this type. */
export type ProductApi = ExtractSchema<ReturnType<typeof routes>>

export function productApi(parts: ProductApiParts): Hono {
  const api = new Hono()
  const own = routes(parts)
  api.route('/', own)
  if (parts.isDocumented) {
    const document = openApi(own, { title: name, version: '1', base: '/api/v1' })
    api.get('/openapi.json', (c) => c.json(document))
  }
  return api
}

function routes(parts: ProductApiParts) {
  return new Hono()
    .route('/cash', cashRoutes(parts.session, parts.codeHost, parts.dashboard_user)) // sample
    .route('/code-host', codeHostRoutes(parts.codeHost, parts.session)) // sample
    .route('/account', accountRoutes(parts))
}
