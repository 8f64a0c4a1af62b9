import type { Strategy } from '../../contract/contract.ts'
import { login } from './login.ts'
import { settings } from './settings.ts'

export const lookupSecret: Strategy = {
  id: 'lookup_secret',
  group: 'lookup_secret',
  admin: { remove: () => ({ remove: ['lookup_secret'] }) },
  secretFields: [{ name: 'lookup_secret', cleared: true }],
  enabled: (config) => config.selfservice.methods.lookup_secret.enabled,
  steps: { login, settings },
  factors: () => ['aal2'],
}
