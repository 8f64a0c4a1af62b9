import type { Strategy } from '../../contract.ts'
import { recovery } from './recovery.ts'
import { verification } from './verification.ts'

/** Six digits, sent to an address. Protocol 2, 0.8. */
export const code: Strategy = {
  id: 'code',
  group: 'code',
  enabled: (config) => config.selfservice.methods.code.enabled,
  steps: { recovery, verification },
}
