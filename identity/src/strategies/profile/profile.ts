import type { Strategy } from '../../contract.ts'
import { registration } from './registration.ts'

/** What people say of themselves. Protocol 1, 5.5. */
export const profile: Strategy = {
  id: 'profile',
  group: 'profile',
  enabled: ({ selfservice }, flow) =>
    flow === 'registration' && selfservice.flows.registration.style === 'profile_first',
  steps: { registration },
}
