import type { Context } from '../contract/contract.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { Aal } from '../wire/session.ts'

type Factors = Pick<Context, 'strategies' | 'config'>

/** The highest level that these credentials allow, as stored with the account. */
export function availableAal({ strategies, config }: Factors, credentials: readonly Credential[]): Aal {
  const stored = strategies.filter((strategy) => !strategy.isSecondFactorOf)
  const factors = credentials.flatMap((credential) => {
    const strategy = stored.find((one) => one.id === credential.type)
    return strategy?.factors?.(credential, config) ?? []
  })
  return factors.includes('aal2') ? 'aal2' : 'aal1'
}

export function highestAal(ctx: Context, identity: StoredIdentity): Aal {
  const second = ctx.strategies.some((strategy) => strategy.isSecondFactorOf?.(ctx, identity))
  return second ? 'aal2' : identity.available_aal
}

/** The methods that accept these credentials as a first factor. */
export function firstFactors(ctx: Factors, credentials: readonly Credential[]): readonly string[] {
  const can = credentials.filter((credential) => firstFactorsOf(ctx, credential).length > 0)
  return [...new Set(can.map(({ type }) => type))]
}

/** The number of first factors under the current configuration; each passkey counts as one. */
export function countFirstFactors(ctx: Factors, credentials: readonly Credential[]): number {
  return credentials.flatMap((credential) => firstFactorsOf(ctx, credential)).length
}

function firstFactorsOf({ strategies, config }: Factors, credential: Credential): readonly Aal[] {
  const strategy = strategies.find(({ id }) => id === credential.type)
  if (!strategy?.enabled(config, 'login')) return []
  return (strategy.factors?.(credential, config) ?? []).filter((aal) => aal === 'aal1')
}
