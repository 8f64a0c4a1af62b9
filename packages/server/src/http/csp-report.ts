import type { Log } from '@ostiary/identity-server/process'
import { Hono } from 'hono'
import { z } from 'zod'

const maxReportsPerMinute = 20

const mostReports = 5

// Cut first: zod would report on each of 60,000 entries.
const reports = z.preprocess(
  (body) => (Array.isArray(body) ? body.slice(0, mostReports) : body),
  z.array(
    z.object({
      type: z.literal('csp-violation'),
      body: z.object({
        effectiveDirective: z.string().max(100),
        blockedURL: z.string().max(500).default(''),
      }),
    }),
  ),
)

/** Any client can send reports, so few are logged. */
export function cspReportRoute(log: Log, now: () => Date): Hono {
  const app = new Hono()
  let minute = 0
  let count = 0
  app.post('/', async (c) => {
    const current = Math.floor(now().getTime() / 60_000)
    count = current === minute ? count + 1 : 1
    minute = current
    if (count > maxReportsPerMinute) return c.body(null, 429, { 'Retry-After': '60' })
    const parsed = reports.safeParse(await c.req.json().catch(() => undefined))
    if (!parsed.success) return c.body(null, 400)
    for (const { body } of parsed.data) {
      // Without the query, which may carry a code.
      const blocked = body.blockedURL.split(/[?#]/, 1)[0]
      log.warn({ directive: body.effectiveDirective, blocked }, 'CSP violation')
    }
    return c.body(null, 204)
  })
  return app
}
