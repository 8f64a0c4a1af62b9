import type { Strategy } from '../../contract/contract.ts'
import { login } from './login.ts'
import { settings } from './settings.ts'

export const totp: Strategy = {
  id: 'totp',
  group: 'totp',
  admin: { remove: () => ({ remove: ['totp'] }) },
  secretFields: [{ name: 'totp_code', cleared: true }],
  enabled: (config) => config.selfservice.methods.totp.enabled,
  steps: { login, settings },
  factors: () => ['aal2'],
}
