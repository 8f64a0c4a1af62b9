import { keysOf } from '../../authenticators/keys.ts'
import type { Strategy } from '../../contract.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

/** A security key: a second factor, or with `passwordless` a first factor. */
export const webauthn: Strategy = {
  id: 'webauthn',
  group: 'webauthn',
  singleUseInputs: true,
  enabled({ selfservice }, flow) {
    const { enabled, config } = selfservice.methods.webauthn
    return enabled && (flow !== 'registration' || config.passwordless)
  },
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map((key) => (key.is_passwordless ? 'aal1' : 'aal2')),
}
