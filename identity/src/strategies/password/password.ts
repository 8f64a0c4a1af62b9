import type { Strategy } from '../../contract.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

/** A password. */
export const password: Strategy = {
  id: 'password',
  group: 'password',
  registersUnproven: true,
  enabled: (config) => config.selfservice.methods.password.enabled,
  steps: { login, registration, settings },
  factors: () => ['aal1'],
}
