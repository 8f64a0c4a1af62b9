import type { Strategy } from '../../contract.ts'
import { login } from './login.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

/** Something that only the person knows. Protocol 1, sections 4 and 5; protocol 2, 3.3. */
export const password: Strategy = {
  id: 'password',
  group: 'password',
  enabled: (config) => config.selfservice.methods.password.enabled,
  steps: { login, registration, settings },
  factors: () => ['aal1'],
}
