import type { Strategy } from '../../contract.ts'
import { login } from './login.ts'
import { settings } from './settings.ts'

/** An authenticator app: a second factor. */
export const totp: Strategy = {
  id: 'totp',
  group: 'totp',
  enabled: (config) => config.selfservice.methods.totp.enabled,
  steps: { login, settings },
  factors: () => ['aal2'],
}
