import { describeRoute, type SessionCheck } from '@ostiary/server'
import { Hono } from 'hono'
import type { CodeHost } from '../code-host/code-host.ts'
import { sendCopy } from '../code-host/routes.ts'
import { shownRepositories } from '../code-host/types.ts'

export function cashRoutes(session: SessionCheck, codeHost: CodeHost, dashboardUser: string) {
  const described = (credential: string) =>
    describeRoute({
      summary: `The repositories of the fixed user, by ${credential}`,
      answer: shownRepositories,
      errors: [429],
      codes: { code_host_unavailable: 502 },
    })
  return new Hono()
    .get('/protected_user', described('session'), session.require(), async (c) =>
      sendCopy(c, await codeHost.listUserRepositories(dashboardUser)),
    )
    .get('/protected', described('user_jwt'), session.requireUserJwt(), async (c) =>
      sendCopy(c, await codeHost.listUserRepositories(dashboardUser)),
    )
}
