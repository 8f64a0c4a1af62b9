import type { Strategy } from '../../contract/contract.ts'
import { providersOf } from '../../identities/provider-accounts.ts'
import { admin } from './admin.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

export const oidc: Strategy = {
  id: 'oidc',
  group: 'oidc',
  admin,
  enabled: (config) => config.selfservice.methods.oidc.enabled,
  steps: { login, registration, settings },
  factors: (credential, config) => {
    const ids = config.selfservice.methods.oidc.config.providers.map(({ id }) => id)
    return providersOf(credential)
      .filter(({ provider }) => ids.includes(String(provider)))
      .map(() => 'aal1' as const)
  },
}
