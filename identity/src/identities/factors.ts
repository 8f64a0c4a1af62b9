import type { Context } from '../contract.ts'
import type { Credential } from '../storage/credentials.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import type { Aal } from '../wire/session.ts'

type Factors = Pick<Context, 'strategies' | 'config'>

/**
 * The highest level that these credentials allow, as stored with the account: `aal2` if one of them can be a second
 * factor.
 */
export function availableAal({ strategies, config }: Factors, credentials: readonly Credential[]): Aal {
  const stored = strategies.filter((strategy) => !strategy.isSecondFactorOf)
  const factors = credentials.flatMap((credential) => {
    const strategy = stored.find((one) => one.id === credential.type)
    return strategy?.factors?.(credential, config) ?? []
  })
  return factors.includes('aal2') ? 'aal2' : 'aal1'
}

/** The highest level that the user can reach now. */
export function highestAal(ctx: Context, identity: StoredIdentity): Aal {
  const second = ctx.strategies.some((strategy) => strategy.isSecondFactorOf?.(ctx, identity))
  return second ? 'aal2' : identity.available_aal
}

/** The methods that accept these credentials as a first factor. */
export function firstFactors(
  { strategies, config }: Factors,
  credentials: readonly Credential[],
): readonly string[] {
  const can = credentials.filter((credential) => {
    const strategy = strategies.find((one) => one.id === credential.type)
    const factors = strategy?.enabled(config, 'login') ? strategy.factors?.(credential, config) : undefined
    return factors?.includes('aal1') ?? false
  })
  return [...new Set(can.map(({ type }) => type))]
}
