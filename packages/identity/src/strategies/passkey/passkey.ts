import { keysOf } from '../../authenticators/keys.ts'
import type { Strategy } from '../../contract/contract.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

export const passkey: Strategy = {
  id: 'passkey',
  group: 'passkey',
  leavesIdentifier: true,
  admin: { contents: (_ctx, { config }) => config, version: 1 },
  registersUnproven: true,
  secretFields: [
    { name: 'passkey_challenge' },
    { name: 'passkey_login' },
    { name: 'passkey_create_data' },
    { name: 'passkey_register' },
    { name: 'passkey_settings_register' },
  ],
  enabled: (config) => config.selfservice.methods.passkey.enabled,
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map(() => 'aal1'),
}
