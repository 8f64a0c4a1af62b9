import type { Strategy } from '../../contract.ts'
import { recovery } from './recovery.ts'
import { verification } from './verification.ts'

/** A link with a token, sent to an address: a code that nobody types. Protocol 2, 1.7 and 2.6. */
export const link: Strategy = {
  id: 'link',
  group: 'link',
  enabled: (config) => config.selfservice.methods.link.enabled,
  steps: { recovery, verification },
}
