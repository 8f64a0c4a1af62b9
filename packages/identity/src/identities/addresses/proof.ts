import { hooksAfter } from '../../config/after-method.ts'
import type { Context } from '../../contract/contract.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'

export function hasProof({ addresses }: StoredIdentity): boolean {
  return addresses.some(({ verified_at }) => verified_at !== undefined)
}

export function withProof(
  identity: StoredIdentity,
  addressId: string | undefined,
  now: string,
): StoredIdentity {
  if (addressId === undefined) return identity
  const proven = { status: 'completed', verified_at: now, updated_at: now } as const
  const addresses = identity.addresses.map((one) => (one.id === addressId ? { ...one, ...proven } : one))
  return { ...identity, addresses }
}

type Asked = { readonly refresh: boolean; readonly requested_aal: string }

/**
 * Whether a correct password without a verified address gets the error of a wrong one. Otherwise registering
 * and signing in would reveal whether an address was free (SEC-13).
 */
export function hidesUnproven({ config }: Pick<Context, 'config'>, flow: Asked): boolean {
  // With a session, re-authentication reveals nothing.
  const { mitigate } = config.security.account_enumeration
  return requiresProof({ config }) && mitigate && !flow.refresh && flow.requested_aal === 'aal1'
}

export function requiresProof({ config }: Pick<Context, 'config'>, method = 'password'): boolean {
  return hooksAfter({ config }, 'login', method).some(({ hook }) => hook === 'require_verified_address')
}
