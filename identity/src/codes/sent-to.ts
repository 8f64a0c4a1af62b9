import { normaliseIdentifier } from '../identities/traits.ts'
import type { Flow } from '../storage/flows.ts'

/** The recipient of a flow's last code, normalised. */
export function sentTo({ memo }: Flow): string | undefined {
  return memo.code && normaliseIdentifier('code', memo.code.address)
}
