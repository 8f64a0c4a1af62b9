import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { recordRefusal } from '../../events/record.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'

/** Throws 401 if an operator has disabled the account. */
export function assertActive(ctx: Context, identity: StoredIdentity, method: string): void {
  if (identity.state === 'active') return
  recordRefusal(ctx, { event: 'sign_in', identity_id: identity.id, method, detail: 'inactive' })
  throw new ProtocolError({
    status: 401,
    reason: 'This account is disabled. Contact support.',
    details: { identity_id: identity.id },
  })
}
