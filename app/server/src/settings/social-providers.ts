import type { DemoProviders } from '../demo/provider/providers.ts'
import type { ProviderId, Settings } from './env.ts'
import { providerIds } from './env.ts'

type Claims = Readonly<Record<string, unknown>>

/** An entry of the identity service's `selfservice.methods.oidc.config.providers`. */
type SocialProvider = {
  id: ProviderId
  label: string
  provider: ProviderId | 'generic'
  client_id: string
  client_secret: string
  issuer_url?: string
  scope: string[]
  mapper: typeof toUser
}

/** Providers with a client of the operator. In demo mode, stand-ins for the others. */
export function socialProviders(
  { clients }: Pick<Settings, 'clients'>,
  demo: Pick<DemoProviders, 'client'> | undefined,
): SocialProvider[] {
  return providerIds.flatMap((id): SocialProvider[] => {
    const named = { id, label: labels[id], mapper: toUser }
    const client = clients[id]
    if (client) return [{ ...named, provider: id, scope: [...scopes[id]], ...client }]
    if (!demo) return []
    const { issuer, ...demoClient } = demo.client(id)
    return [
      {
        ...named,
        provider: 'generic' as const,
        scope: [...scopes.google],
        issuer_url: issuer,
        ...demoClient,
      },
    ]
  })
}

const labels = { github: 'GitHub', google: 'Google' } as const
const scopes = { github: ['user:email'], google: ['openid', 'email', 'profile'] } as const

/** Trusts an address only if the provider says that it is verified (SEC-26). */
function toUser({ claims: { email, email_verified } }: { readonly claims: Claims }) {
  if (typeof email !== 'string') return { identity: { traits: {} } }
  const verified_addresses = email_verified === true ? [{ via: 'email', value: email }] : []
  return { identity: { traits: { email }, verified_addresses } }
}
