import type { Done } from '../contract/done.ts'
import { addressChange } from '../identities/addresses/address-change.ts'
import type { Code } from '../storage/flows/codes.ts'
import type { Flow } from '../storage/flows/flows.ts'

/**
 * What a correct verification code or link proves: an address of an identity, or the new address of a pending change.
 */
export function proofOf(
  flow: Flow<'verification'>,
  { id, identity_id, address_id }: Code,
): Done['verification'] | undefined {
  if (identity_id === undefined) return undefined
  const consume = { code_id: id }
  if (addressChange.read(flow)) return { identity_id, consume }
  return address_id === undefined ? undefined : { identity_id, address_id, consume }
}
