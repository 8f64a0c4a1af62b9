import { randomBytes } from 'node:crypto'
import * as product from '../../../../../app.config.ts'
import type { OpenId } from './openid.ts'
import type { DemoUsers } from './users.ts'
import { createUsers } from './users.ts'

export interface DemoClient {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

export interface DemoProviders {
  client(id: string): DemoClient
  users(id: string): DemoUsers
  open(id: string): Promise<OpenId>
  readonly fetch: typeof fetch
}

export const providersPath = '/demo/providers'
export const consentPath = '/demo/consent'

export function createDemoProviders(public_url: string): DemoProviders {
  const demos = new Map(product.demoProviders.map(({ id }) => [id, createDemo(id, public_url)]))

  function demo(id: string) {
    const found = demos.get(id)
    if (!found) throw new Error(`there is no demo provider ${id}`)
    return found
  }

  return {
    client: (id) => demo(id).client,
    users: (id) => demo(id).users,
    open: (id) => demo(id).open(),
    async fetch(input, init) {
      const request = new Request(input, init)
      const called = [...demos.values()].find(({ client }) => request.url.startsWith(`${client.issuer}/`))
      return called === undefined ? fetch(request) : (await called.open()).ask(request)
    },
  }
}

function createDemo(id: string, public_url: string) {
  const client = {
    issuer: `${public_url}${providersPath}/${id}`,
    client_id: 'my-app',
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
