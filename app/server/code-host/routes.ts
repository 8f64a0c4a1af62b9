import { describeRoute, ProductError, type SessionCheck } from '@ostiary/server'
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { CodeHost } from './code-host.ts'
import { type CodeHostAnswer, contributors, shownRepositories, shownRepository, user } from './types.ts'

/** Requires a session, because anonymous clients could use up the dashboard's calls. */
export function codeHostRoutes(codeHost: CodeHost, session: SessionCheck) {
  const signedIn = session.require()
  const described = (summary: string, answer: z.ZodType) =>
    describeRoute({ summary, answer, errors: [400, 404, 429], codes: { code_host_unavailable: 502 } })
  return new Hono()
    .get(
      '/users/:username/repos',
      described('Repositories of a user', shownRepositories),
      signedIn,
      async (c) =>
        sendCopy(
          c,
          await codeHost.listUserRepositories(login(c.req.param('username')), c.var.session.identity.id),
        ),
    )
    .get('/users/:username', described('A user', user), signedIn, async (c) =>
      sendCopy(c, await codeHost.getUser(login(c.req.param('username')), c.var.session.identity.id)),
    )
    .get('/repos/:owner/:repo', described('A repository', shownRepository), signedIn, async (c) =>
      sendCopy(
        c,
        await codeHost.getRepository(
          login(c.req.param('owner')),
          repo(c.req.param('repo')),
          c.var.session.identity.id,
        ),
      ),
    )
    .get('/repos/:owner/:repo/contributors', described('Contributors', contributors), signedIn, async (c) =>
      sendCopy(
        c,
        await codeHost.listContributors(
          login(c.req.param('owner')),
          repo(c.req.param('repo')),
          c.var.session.identity.id,
        ),
      ),
    )
    .get(
      '/orgs/:org/repos',
      described('Repositories of an organization', shownRepositories),
      signedIn,
      async (c) =>
        sendCopy(
          c,
          await codeHost.listOrganizationRepositories(login(c.req.param('org')), c.var.session.identity.id),
        ),
    )
}

export function sendCopy<T extends object>(
  c: Context,
  { data, source, age, isTruncated }: CodeHostAnswer<T>,
) {
  if (isTruncated) c.header('X-Data-Truncated', 'true')
  return c.json<T>(data, 200, { 'X-Data-Source': source, Age: String(age), 'Cache-Control': 'no-store' })
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
