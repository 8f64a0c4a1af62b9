import type { StoredIdentity } from '../../storage/identities/identities.ts'

/** Whether an address of the identity is verified. */
export function hasProof({ addresses }: StoredIdentity): boolean {
  return addresses.some(({ verified_at }) => verified_at !== undefined)
}

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
