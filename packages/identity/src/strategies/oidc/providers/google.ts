import { requestedClaims, withOpenId } from './generic.ts'
import type { ProviderKind } from './provider.ts'

const OFFLINE = 'offline_access'

export const google: ProviderKind = {
  issuer: () => 'https://accounts.google.com',
  onlyProviderVerifies: true,
  hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
  scope: ({ scope }) => withOpenId(scope).filter((name) => name !== OFFLINE),
  // Google uses this instead of the scope `offline_access`.
  parameters: (config) => ({
    ...requestedClaims(config),
    ...(config.scope.includes(OFFLINE) ? { access_type: 'offline' } : {}),
  }),
  takesTokens: true,
}
