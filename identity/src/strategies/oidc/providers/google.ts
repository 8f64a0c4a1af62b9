import { requestedClaims, withOpenId } from './generic.ts'
import type { ProviderKind } from './provider.ts'

const OFFLINE = 'offline_access'

export const google: ProviderKind = {
  issuer: () => 'https://accounts.google.com',
  ownWord: true,
  hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
  scope: ({ scope }) => withOpenId(scope).filter((name) => name !== OFFLINE),
  // Google has a parameter of its own for what others ask by a scope.
  parameters: (config) => ({
    ...requestedClaims(config),
    ...(config.scope.includes(OFFLINE) ? { access_type: 'offline' } : {}),
  }),
  takesTokens: true,
}
