import type { Strategy } from '../../contract/contract.ts'
import { registration } from './registration.ts'
import { settings } from './settings.ts'

export const profile: Strategy = {
  id: 'profile',
  group: 'profile',
  admin: undefined,
  enabled({ selfservice }, flow) {
    if (flow === 'registration') return selfservice.flows.registration.style === 'profile_first'
    return selfservice.methods.profile.enabled
  },
  steps: { registration, settings },
}
