import type { ApiTools } from '@ostiary/server'
import { Hono } from 'hono'
import type { ExtractSchema } from 'hono/types'
import { linkRoutes } from './links/routes.ts'

/** The calls below `/api/v1` that this product adds, by path and method, for the pages. */
export type OwnApi = ExtractSchema<ReturnType<typeof api>>

export function api(tools: ApiTools) {
  return new Hono().route('/links', linkRoutes(tools))
}
