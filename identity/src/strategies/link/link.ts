import type { Strategy } from '../../contract.ts'
import { waitsForProof } from '../../identities/address-change.ts'
import { recovery } from './recovery.ts'
import { verification } from './verification.ts'

/** A link with a token, sent to an address: a code that nobody types. */
export const link: Strategy = {
  id: 'link',
  group: 'link',
  /** A change of address is undone by a link, also where codes are mailed. */
  enabled: (config, flow) =>
    config.selfservice.methods.link.enabled || (flow === 'verification' && waitsForProof({ config })),
  steps: { recovery, verification },
}
