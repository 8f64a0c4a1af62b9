import { Hono } from 'hono'

/** alive: the process answers · ready: it takes requests; not while it stops or its database is away. */
export function healthRoutes(isReady: () => Promise<boolean>): Hono {
  const app = new Hono()
  app.get('/alive', (c) => c.json({ status: 'ok' }))
  app.get('/ready', async (c) => {
    const ready = await isReady().catch(() => false)
    return ready ? c.json({ status: 'ok' }) : c.json({ status: 'not ready' }, 503, { 'Retry-After': '1' })
  })
  return app
}
