import type { Done } from '../done.ts'
import type { Code } from '../storage/codes.ts'
import type { Flow } from '../storage/flows.ts'

/**
 * What a correct verification code or link proves: an address of an identity, or the new address of a pending change.
 */
export function proofOf(
  { memo }: Flow<'verification'>,
  { id, identity_id, address_id }: Code,
): Done['verification'] | undefined {
  if (identity_id === undefined) return undefined
  const consume = { code_id: id }
  if (memo.address_change) return { identity_id, consume }
  return address_id === undefined ? undefined : { identity_id, address_id, consume }
}
