import type { Context } from '../contract/contract.ts'
import { isPhone } from '../input/phone-number.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { Aal } from '../wire/session.ts'
import { channelOf } from './schema/formats.ts'
import { deriveFromTraits } from './schema/traits.ts'

/** Emailed and texted codes need no credential. */
export function codeAddressesOf({ schemas }: Pick<Context, 'schemas'>, identity: StoredIdentity): string[] {
  const schema = schemas.find(identity.schema_id)
  return schema ? codeAddresses(deriveFromTraits(schema, identity.traits).identifiers.code) : []
}

export function codeAddresses(identifiers: readonly string[]): string[] {
  return identifiers.filter(canGetCodes).toSorted()
}

export function canGetCodes(address: string): boolean {
  return channelOf(address) === 'email' || isPhone(address)
}

type Factors = Pick<Context, 'strategies' | 'config'>

/** The highest level that these credentials allow. */
export function availableAal({ strategies, config }: Factors, credentials: readonly Credential[]): Aal {
  const factors = credentials.flatMap((credential) => {
    const strategy = strategies.find((one) => one.id === credential.type)
    return strategy?.factors?.(credential, config) ?? []
  })
  return factors.includes('aal2') ? 'aal2' : 'aal1'
}

export function highestAal(ctx: Context, identity: StoredIdentity): Aal {
  const { enabled, mfa_enabled } = ctx.config.selfservice.methods.code
  const byCode = enabled && mfa_enabled && codeAddressesOf(ctx, identity).length > 0
  return byCode ? 'aal2' : identity.available_aal
}

export function firstFactors(ctx: Factors, credentials: readonly Credential[]): readonly string[] {
  const can = credentials.filter((credential) => firstFactorsOf(ctx, credential).length > 0)
  return [...new Set(can.map(({ type }) => type))]
}

/** Counts each passkey. Disabled methods do not count. */
export function countFirstFactors(ctx: Factors, credentials: readonly Credential[]): number {
  return credentials.flatMap((credential) => firstFactorsOf(ctx, credential)).length
}

function firstFactorsOf({ strategies, config }: Factors, credential: Credential): readonly Aal[] {
  const strategy = strategies.find(({ id }) => id === credential.type)
  if (!strategy?.enabled(config, 'login')) return []
  return (strategy.factors?.(credential, config) ?? []).filter((aal) => aal === 'aal1')
}
