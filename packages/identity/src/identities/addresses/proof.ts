import { hooksAfter } from '../../config/after-method.ts'
import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities/identities.ts'

export function hasProof({ addresses }: StoredIdentity): boolean {
  return addresses.some(({ verified_at }) => verified_at !== undefined)
}

/**
 * Emails that reach the account's owner. An unverified address may be a typo and belong to another user. A
 * recovery-only address is never verified, and its reader can recover the account anyway.
 */
export function ownersEmails({ addresses }: Pick<StoredIdentity, 'addresses'>): Address[] {
  const verifiable = addresses.filter(({ purpose }) => purpose === 'verification')
  return addresses.filter(
    ({ purpose, via, value, verified_at }) =>
      via === 'email' &&
      (purpose === 'verification'
        ? verified_at !== undefined
        : verifiable.every((one) => one.value !== value)),
  )
}

export function withProof(identity: StoredIdentity, addressId: string | undefined, now: string) {
  if (addressId === undefined) return identity
  const proven = { status: 'completed', verified_at: now, updated_at: now } as const
  const addresses = identity.addresses.map((one) => (one.id === addressId ? { ...one, ...proven } : one))
  return { ...identity, addresses }
}

/** Kratos compatibility: a login leaves an address that was verified before as it is. */
export function withFirstProof(identity: StoredIdentity, addressId: string | undefined, now: string) {
  const { verified_at } = identity.addresses.find(({ id }) => id === addressId) ?? {}
  return verified_at === undefined ? withProof(identity, addressId, now) : identity
}

type Asked = Pick<Flow<'login'>, 'refresh' | 'requested_aal' | 'identity_id'>

/**
 * Whether a correct password of this account gets the error of a wrong one while no address is verified. Otherwise
 * registering and signing in would reveal whether an address was free (SEC-13). Re-authentication hides nothing of
 * the account that asked for it.
 */
export function hidesUnproven(
  { config }: Pick<Context, 'config'>,
  flow: Asked,
  identity_id: string | undefined,
): boolean {
  const { mitigate } = config.security.account_enumeration
  const isOwn = flow.refresh && identity_id === flow.identity_id
  return requiresProof({ config }) && mitigate && !isOwn && flow.requested_aal === 'aal1'
}

export function requiresProof({ config }: Pick<Context, 'config'>, method = 'password'): boolean {
  return hooksAfter({ config }, 'login', method).some(({ hook }) => hook === 'require_verified_address')
}
