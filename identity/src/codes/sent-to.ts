import { normaliseIdentifier } from '../identities/traits.ts'
import type { Flow } from '../storage/flows.ts'

/** Where the last code of a flow went, in its stored spelling. */
export function sentTo({ memo }: Flow): string | undefined {
  return memo.code && normaliseIdentifier('code', memo.code.address)
}
