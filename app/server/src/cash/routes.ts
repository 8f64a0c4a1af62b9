import { Hono } from 'hono'
import type { CodeHost } from '../code-host/client.ts'
import { answered } from '../code-host/routes.ts'
import type { SessionCheck } from '../session/session.ts'

/** The fixed user's repositories, for signed-in users. */
export function cashRoutes(session: SessionCheck, codeHost: CodeHost, dashboardUser: string): Hono {
  const app = new Hono()
  app.get('/protected_user', async (c) => {
    await session.assertLiveSession(c.req.raw.headers)
    return answered(c, await codeHost.listUserRepositories(dashboardUser))
  })
  app.get('/protected', async (c) => {
    await session.assertUserJwt(c.req.raw.headers)
    return answered(c, await codeHost.listUserRepositories(dashboardUser))
  })
  return app
}
