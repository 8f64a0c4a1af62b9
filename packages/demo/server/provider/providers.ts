import { randomBytes } from 'node:crypto'
import { type DemoClient, type OfferedProviders, ProductError } from '@ostiary/server/demo'
import type { OpenId } from './openid.ts'
import { createUsers, type DemoUsers } from './users.ts'

export interface DemoProviders {
  readonly clients: readonly DemoClient[]
  users(id: string): DemoUsers
  open(id: string): Promise<OpenId>
  readonly fetch: typeof fetch
}

export const providersPath = '/demo/providers'
export const consentPath = '/demo/consent'

export function createDemoProviders(public_url: string, offered: OfferedProviders): DemoProviders {
  const demos = offered.map((one) => createDemo(one, public_url))

  function demo(id: string) {
    const demoProvider = demos.find(({ client }) => client.id === id)
    if (!demoProvider) throw new ProductError('not_found', 404, 'There is no such demo provider')
    return demoProvider
  }

  return {
    clients: demos.map(({ client }) => client),
    users: (id) => demo(id).users,
    open: (id) => demo(id).open(),
    async fetch(input, init) {
      const request = new Request(input, init)
      const called = demos.find(({ client }) => request.url.startsWith(`${client.issuer}/`))
      return called === undefined ? fetch(request) : (await called.open()).ask(request)
    },
  }
}

function createDemo({ id, label }: OfferedProviders[number], public_url: string) {
  const client = {
    id,
    label,
    issuer: `${public_url}${providersPath}/${id}`,
    client_id: 'demo',
    client_secret: randomBytes(32).toString('base64url'),
  }
  const users = createUsers()
  let opened: Promise<OpenId> | undefined
  const forget = (error: unknown) => {
    opened = undefined
    throw error
  }
  return { client, users, open: () => (opened ??= open().catch(forget)) }

  async function open(): Promise<OpenId> {
    const { createOpenId } = await import('./openid.ts')
    return createOpenId({
      issuer: client.issuer,
      client: {
        client_id: client.client_id,
        client_secret: client.client_secret,
        redirect_uri: `${public_url}/.ory/self-service/methods/oidc/callback/${id}`,
      },
      consentUrl: (uid) =>
        `${public_url}${consentPath}?${new URLSearchParams({ provider: id, attempt: uid })}`,
      users,
    })
  }
}
