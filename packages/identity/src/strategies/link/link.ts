import type { Strategy } from '../../contract/contract.ts'
import { waitsForProof } from '../../identities/addresses/address-change.ts'
import { recovery } from './recovery.ts'
import { verification } from './verification.ts'

/** A link with a token, sent to an address. */
export const link: Strategy = {
  id: 'link',
  group: 'link',
  admin: undefined,
  /** An address change is undone by a link, even if the configured method is codes. */
  enabled: (config, flow) =>
    config.selfservice.methods.link.enabled || (flow === 'verification' && waitsForProof({ config })),
  steps: { recovery, verification },
}
