import type { Strategy } from '../../contract/contract.ts'
import { waitsForProof } from '../../identities/addresses/address-change.ts'
import { recovery } from './recovery.ts'
import { verification } from './verification.ts'

export const link: Strategy = {
  id: 'link',
  group: 'link',
  admin: undefined,
  /** Undoing an address change always uses a link. */
  enabled: (config, flow) =>
    config.selfservice.methods.link.enabled || (flow === 'verification' && waitsForProof({ config })),
  steps: { recovery, verification },
}
