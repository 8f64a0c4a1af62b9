import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { ProductError } from '../../http/errors.ts'
import type { ProviderId } from '../../settings/provider-ids.ts'
import { providerIds } from '../../settings/provider-ids.ts'
import { ownHostsOnly } from '../own-hosts.ts'
import type { DemoProviders } from './providers.ts'
import { consentPath } from './providers.ts'
import type { Decision } from './scenarios.ts'
import { decision } from './scenarios.ts'
import type { DemoUser, Newcomer } from './users.ts'

export interface DemoProviderParts {
  readonly providers: DemoProviders
  readonly public_url: URL
}

/** The demo's providers and the API of their consent page, for the paths below `/demo`. */
export function demoProviderRoutes({ providers, public_url }: DemoProviderParts): Hono {
  const app = new Hono()
  app.use(ownHostsOnly(public_url))
  app.all('/providers/:provider/*', async (c) => {
    const { ask } = await providers.open(providerOf(c))
    const { pathname, search } = new URL(c.req.url)
    const { method, body, signal } = c.req.raw
    // Under the issuer's URL, whichever name this machine was called by.
    const url = new URL(pathname + search, public_url)
    const half = body ? { body, duplex: 'half' as const } : {}
    return ask(new Request(url, { method, headers: c.req.raw.headers, signal, ...half }))
  })
  app.get('/api/consent/:provider/:attempt', async (c) => {
    const id = providerOf(c)
    const provider = await providers.open(id)
    if (!(await provider.hasAttempt(c.req.param('attempt'))))
      throw new ProductError('not_found', 404, 'This sign-in attempt has expired')
    return c.json({ users: providers.users(id).list() })
  })
  app.post('/api/consent/:provider/:attempt', async (c) => {
    const decided = decision.safeParse(Object.fromEntries(await c.req.formData()))
    if (!decided.success) throw new ProductError('bad_request', 400, 'The form is invalid')
    const next = await decide(providers, providerOf(c), c.req.param('attempt'), decided.data)
    return c.redirect(next ?? consentPath, 303)
  })
  return app
}

async function decide(
  providers: DemoProviders,
  id: ProviderId,
  attempt: string,
  { decision, user, email, answer }: Decision,
): Promise<string | undefined> {
  const provider = await providers.open(id)
  if (decision === 'deny') return provider.deny(attempt)
  return provider.approve(attempt, choose(providers, id, user, email), answer)
}

function choose(providers: DemoProviders, id: ProviderId, chosen: string, email: string): DemoUser {
  const users = providers.users(id)
  const user = users.find(chosen)
  if (!user) return users.add(newcomerOf(chosen, email), email)
  users.remember(user)
  return user
}

/** An account that exists here needs an address; without one it is simply a new one. */
function newcomerOf(chosen: string, email: string): Newcomer {
  if (chosen === 'taken') return z.email().safeParse(email).success ? 'taken' : 'new'
  return chosen === 'no_email' || chosen === 'unverified' ? chosen : 'new'
}

function providerOf(c: Context): ProviderId {
  const id = providerIds.find((one) => one === c.req.param('provider'))
  if (id === undefined) throw new ProductError('not_found', 404, 'There is no such demo provider')
  return id
}
