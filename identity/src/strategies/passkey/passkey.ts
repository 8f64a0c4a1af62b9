import { keysOf } from '../../authenticators/keys.ts'
import type { Strategy } from '../../contract.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

/** A key that a device keeps together with who it belongs to, and gives to nobody else. */
export const passkey: Strategy = {
  id: 'passkey',
  group: 'passkey',
  enabled: (config) => config.selfservice.methods.passkey.enabled,
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map(() => 'aal1'),
}
