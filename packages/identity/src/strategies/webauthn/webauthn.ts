import { configOf, keysOf } from '../../authenticators/keys.ts'
import type { Strategy } from '../../contract/contract.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

/** `passwordless` makes it a first factor. */
export const webauthn: Strategy = {
  id: 'webauthn',
  group: 'webauthn',
  leavesIdentifier: true,
  admin: {
    contents: (_ctx, { config }) => config,
    remove: withoutSecondFactors,
    listedEmpty: true,
    version: 1,
  },
  secretFields: [{ name: 'webauthn_login' }, { name: 'webauthn_register' }],
  enabled({ selfservice }, flow) {
    const { enabled, config } = selfservice.methods.webauthn
    return enabled && (flow !== 'registration' || config.passwordless)
  },
  steps: { login, registration, settings },
  factors: (credential) => keysOf(credential).map((key) => (key.is_passwordless ? 'aal1' : 'aal2')),
}

function withoutSecondFactors(credential: Credential): AccountUpdate {
  const left = keysOf(credential).filter((key) => key.is_passwordless)
  if (left.length === 0) return { remove: ['webauthn'] }
  const config = { ...credential.config, ...configOf(left) }
  return { put: [{ type: 'webauthn', identifiers: credential.identifiers, config }] }
}
