import type { Strategy } from '../../contract/contract.ts'
import { lastCredentialError } from '../../identities/credential-admin.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

export const password: Strategy = {
  id: 'password',
  group: 'password',
  admin: {
    // Kratos compatibility: an empty hash.
    contents: (_ctx, { config }) =>
      config.use_password_migration_hook ? { hashed_password: '', ...config } : config,
    remove: () => ({ remove: ['password'], lastCredentialError }),
    listedEmpty: true,
  },
  registersUnproven: true,
  enabled: (config) => config.selfservice.methods.password.enabled,
  steps: { login, registration, settings },
  factors: () => ['aal1'],
}
