import type { StoredIdentity } from '../storage/identities.ts'

/** The identity with this address verified, if one is given. */
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
