import type { Strategy } from '../../contract.ts'
import { settings } from './settings.ts'

/** Somebody's traits; no credential. Protocol 2, 3.3. */
export const profile: Strategy = {
  id: 'profile',
  group: 'profile',
  enabled: (config) => config.selfservice.methods.profile.enabled,
  steps: { settings },
}
