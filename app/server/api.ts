import type { ApiTools } from '@ostiary/server'
import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import { cashRoutes } from './cash/routes.ts'
import { openCodeHost } from './code-host/open.ts'
import { codeHostRoutes } from './code-host/routes.ts'

/** The calls below `/api/v1` that this product adds, by path and method, for the pages. */
export type OwnApi = ExtractSchema<ReturnType<typeof api>>

export function api(tools: ApiTools) {
  const codeHost = openCodeHost(tools)
  return new Hono()
    .route('/cash', cashRoutes(tools.session, codeHost, tools.settings.DASHBOARD_USER))
    .route('/code-host', codeHostRoutes(codeHost, tools.session))
}
