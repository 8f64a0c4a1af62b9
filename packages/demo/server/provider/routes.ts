import { randomBytes } from 'node:crypto'
import { type DemoClient, type OfferedProviders, ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { z } from 'zod'
import type { OpenId, ProviderMode } from './openid.ts'
import { createUsers, type DemoUser, type DemoUsers, newUser } from './users.ts'

export interface DemoHost {
  readonly clients: readonly DemoClient[]
  readonly fetch: typeof fetch
  readonly routes: Hono
  /** Lists the user first at the provider. Absent with several workers. */
  readonly remember?: (provider: string, user: DemoUser) => void
}

/** How providers answer a user who has agreed. */
export type Behavior = () => ProviderMode | 'denied'

export const providersPath = '/demo/providers'
const consentPath = '/demo/consent'

export function createDemoHost(
  public_url: string,
  offered: OfferedProviders,
  behavior: Behavior = () => 'normal',
): DemoHost {
  const demos = offered.map((one) => createDemo(one, public_url))
  const find = (id: string) => {
    const demo = demos.find(({ client }) => client.id === id)
    if (!demo) throw new ProductError('not_found', 404, 'There is no such demo provider')
    return demo
  }
  const routes = new Hono()
  routes.all('/providers/:provider/*', async (c) => {
    const { ask } = await find(c.req.param('provider')).open()
    const { pathname, search } = new URL(c.req.url)
    const { method, body, signal } = c.req.raw
    const url = new URL(pathname + search, public_url)
    const half = body ? { body, duplex: 'half' as const } : {}
    return ask(new Request(url, { method, headers: c.req.raw.headers, signal, ...half }))
  })
  routes.get('/api/consent/:provider/:attempt', async (c) => {
    const { users, open } = find(c.req.param('provider'))
    if (!(await (await open()).hasAttempt(c.req.param('attempt'))))
      throw new ProductError('not_found', 404, 'This login attempt has expired')
    return c.json({ users: users.list() })
  })
  routes.post('/api/consent/:provider/:attempt', async (c) => {
    const decided = decision.safeParse(Object.fromEntries(await c.req.formData()))
    if (!decided.success) throw new ProductError('bad_request', 400, 'The form is invalid')
    const demo = find(c.req.param('provider'))
    const next = await decide(demo, c.req.param('attempt'), withBehavior(decided.data, behavior()))
    return c.redirect(next ?? consentPath, 303)
  })
  return {
    clients: demos.map(({ client }) => client),
    async fetch(input, init) {
      const request = new Request(input, init)
      const called = demos.find(({ client }) => request.url.startsWith(`${client.issuer}/`))
      return called === undefined ? fetch(request) : (await called.open()).ask(request)
    },
    routes,
    remember: (id, user) => find(id).users.remember(user),
  }
}

function createDemo({ id, label }: OfferedProviders[number], public_url: string) {
  const issuer = `${public_url}${providersPath}/${id}`
  const credentials = { client_id: 'demo', client_secret: randomBytes(32).toString('base64url') }
  const redirect_uri = `${public_url}/.ory/self-service/methods/oidc/callback/${id}`
  const consentUrl = (uid: string) =>
    `${public_url}${consentPath}?${new URLSearchParams({ provider: id, attempt: uid })}`
  const users = createUsers()
  let opened: Promise<OpenId> | undefined
  const forget = (error: unknown) => {
    opened = undefined
    throw error
  }
  const open = async () => {
    const { createOpenId } = await import('./openid.ts')
    return await createOpenId({ issuer, client: { ...credentials, redirect_uri }, consentUrl, users })
  }
  return {
    client: { id, label, issuer, ...credentials },
    users,
    open: () => (opened ??= open().catch(forget)),
  }
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
  { users, open }: ReturnType<typeof createDemo>,
  attempt: string,
  { decision, user, email, answer }: Decision,
) {
  const provider = await open()
  if (decision === 'deny') return provider.deny(attempt)
  return provider.approve(attempt, choose(users, user, email), answer)
}

function choose(users: DemoUsers, chosen: string, email: string): DemoUser {
  const user = users.find(chosen) ?? newUser(newcomerOf(chosen, email), email)
  users.remember(user)
  return user
}

function newcomerOf(chosen: string, email: string): Parameters<typeof newUser>[0] {
  if (chosen === 'taken') return z.email().safeParse(email).success ? 'taken' : 'new'
  return chosen === 'no_email' || chosen === 'unverified' ? chosen : 'new'
}
