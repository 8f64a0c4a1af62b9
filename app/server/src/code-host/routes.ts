import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import { ProductError } from '../http/errors.ts'
import type { SessionCheck } from '../session/session.ts'
import type { CodeHost } from './client.ts'
import type { Answer } from './types.ts'

/**
 * The five paths of the public code-hosting API, answered from one cache. All require a session: otherwise anonymous
 * clients could use up the calls that the dashboard needs.
 */
export function codeHostRoutes(codeHost: CodeHost, session: SessionCheck): Hono {
  const app = new Hono()
  const signedIn: MiddlewareHandler = async (c, next) => {
    await session.assertLiveSession(c.req.raw.headers)
    await next()
  }
  for (const path of ['/users/*', '/repos/*', '/orgs/*']) app.use(path, signedIn)
  app.get('/users/:username/repos', async (c) =>
    answered(c, await codeHost.listUserRepositories(login(c.req.param('username')))),
  )
  app.get('/users/:username', async (c) =>
    answered(c, await codeHost.getUser(login(c.req.param('username')))),
  )
  app.get('/repos/:owner/:repo', async (c) =>
    answered(c, await codeHost.getRepository(login(c.req.param('owner')), repo(c.req.param('repo')))),
  )
  app.get('/repos/:owner/:repo/contributors', async (c) =>
    answered(c, await codeHost.listContributors(login(c.req.param('owner')), repo(c.req.param('repo')))),
  )
  app.get('/orgs/:org/repos', async (c) =>
    answered(c, await codeHost.listOrganizationRepositories(login(c.req.param('org')))),
  )
  return app
}

export function answered(c: Context, { data, source, age }: Answer<unknown>): Response {
  return c.json(data, 200, { 'X-Data-Source': source, Age: String(age), 'Cache-Control': 'no-store' })
}

function login(value: string): string {
  if (!/^[a-z\d](?:[a-z\d_-]{0,99})$/i.test(value)) throw badName()
  return value
}

function repo(value: string): string {
  if (!/^[\w.-]{1,100}$/.test(value) || /^\.{1,2}$/.test(value)) throw badName()
  return value
}

function badName(): ProductError {
  return new ProductError('bad_request', 400, 'This cannot be a name on GitHub')
}
