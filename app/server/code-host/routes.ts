import { describeRoute, type SessionCheck } from '@ostiary/server'
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
      async (c) => sendCopy(c, await codeHost.listUserRepositories(c.req.param('username'), userOf(c))),
    )
    .get('/users/:username', described('A user', user), signedIn, async (c) =>
      sendCopy(c, await codeHost.getUser(c.req.param('username'), userOf(c))),
    )
    .get('/repos/:owner/:repo', described('A repository', shownRepository), signedIn, async (c) =>
      sendCopy(c, await codeHost.getRepository(c.req.param('owner'), c.req.param('repo'), userOf(c))),
    )
    .get('/repos/:owner/:repo/contributors', described('Contributors', contributors), signedIn, async (c) =>
      sendCopy(c, await codeHost.listContributors(c.req.param('owner'), c.req.param('repo'), userOf(c))),
    )
    .get(
      '/orgs/:org/repos',
      described('Repositories of an organization', shownRepositories),
      signedIn,
      async (c) => sendCopy(c, await codeHost.listOrganizationRepositories(c.req.param('org'), userOf(c))),
    )
}

function userOf(c: { readonly var: { readonly session: { readonly identity: { readonly id: string } } } }) {
  return c.var.session.identity.id
}

export function sendCopy<T extends object>(
  c: Context,
  { data, source, age, isTruncated }: CodeHostAnswer<T>,
) {
  if (isTruncated) c.header('X-Data-Truncated', 'true')
  return c.json<T>(data, 200, { 'X-Data-Source': source, Age: String(age), 'Cache-Control': 'no-store' })
}
