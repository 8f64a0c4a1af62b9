import { type DemoClient, type OfferedProviders, ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { z } from 'zod'
import type { ProviderMode } from './openid.ts'
import { consentPath, createDemoProviders, type DemoProviders } from './providers.ts'
import type { DemoUser, Newcomer } from './users.ts'

export interface DemoHost {
  readonly clients: readonly DemoClient[]
  readonly fetch: typeof fetch
  readonly routes: Hono
  /** Lists the user first at the provider. Absent with several workers. */
  readonly remember?: (provider: string, user: DemoUser) => void
}

/** How providers answer a user who has agreed. */
export type Behavior = () => ProviderMode | 'denied'

export function createDemoHost(public_url: string, offered: OfferedProviders, behavior?: Behavior): DemoHost {
  const providers = createDemoProviders(public_url, offered)
  const routes = demoProviderRoutes(providers, public_url, behavior)
  const remember = (id: string, user: DemoUser) => providers.users(id).remember(user)
  return { clients: providers.clients, fetch: providers.fetch, routes, remember }
}

export function demoProviderRoutes(
  providers: DemoProviders,
  public_url: string,
  behavior: Behavior = () => 'normal',
): Hono {
  const app = new Hono()
  app.all('/providers/:provider/*', async (c) => {
    const { ask } = await providers.open(c.req.param('provider'))
    const { pathname, search } = new URL(c.req.url)
    const { method, body, signal } = c.req.raw
    const url = new URL(pathname + search, public_url)
    const half = body ? { body, duplex: 'half' as const } : {}
    return ask(new Request(url, { method, headers: c.req.raw.headers, signal, ...half }))
  })
  app.get('/api/consent/:provider/:attempt', async (c) => {
    const id = c.req.param('provider')
    const provider = await providers.open(id)
    if (!(await provider.hasAttempt(c.req.param('attempt'))))
      throw new ProductError('not_found', 404, 'This login attempt has expired')
    return c.json({ users: providers.users(id).list() })
  })
  app.post('/api/consent/:provider/:attempt', async (c) => {
    const decided = decision.safeParse(Object.fromEntries(await c.req.formData()))
    if (!decided.success) throw new ProductError('bad_request', 400, 'The form is invalid')
    const chosen = withBehavior(decided.data, behavior())
    const next = await decide(providers, c.req.param('provider'), c.req.param('attempt'), chosen)
    return c.redirect(next ?? consentPath, 303)
  })
  return app
}

const decision = z.object({
  decision: z.enum(['approve', 'deny']),
  user: z.string().max(40).default('new'),
  email: z.string().max(320).default(''),
  answer: z.enum(['normal', 'slow', 'garbage', 'revoked']).default('normal'),
})

type Decision = z.infer<typeof decision>

function withBehavior(decision: Decision, behavior: ReturnType<Behavior>): Decision {
  if (behavior === 'denied') return { ...decision, decision: 'deny' }
  // The consent page has the choice, too.
  return decision.answer === 'normal' ? { ...decision, answer: behavior } : decision
}

async function decide(
  providers: DemoProviders,
  id: string,
  attempt: string,
  { decision, user, email, answer }: Decision,
): Promise<string | undefined> {
  const provider = await providers.open(id)
  if (decision === 'deny') return provider.deny(attempt)
  return provider.approve(attempt, choose(providers, id, user, email), answer)
}

function choose(providers: DemoProviders, id: string, chosen: string, email: string): DemoUser {
  const users = providers.users(id)
  const user = users.find(chosen)
  if (!user) return users.add(newcomerOf(chosen, email), email)
  users.remember(user)
  return user
}

function newcomerOf(chosen: string, email: string): Newcomer {
  if (chosen === 'taken') return z.email().safeParse(email).success ? 'taken' : 'new'
  return chosen === 'no_email' || chosen === 'unverified' ? chosen : 'new'
}
