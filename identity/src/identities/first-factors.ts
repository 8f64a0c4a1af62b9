import type { Context } from '../contract.ts'
import type { Credential } from '../storage/credentials.ts'

/** In how many ways somebody with these credentials can sign in, as things are switched; each key is one. */
export function countFirstFactors(
  { strategies, config }: Pick<Context, 'strategies' | 'config'>,
  credentials: readonly Credential[],
): number {
  return credentials.flatMap((credential) => {
    const strategy = strategies.find((one) => one.id === credential.type)
    if (!strategy?.enabled(config, 'login')) return []
    return (strategy.factors?.(credential, config) ?? []).filter((aal) => aal === 'aal1')
  }).length
}
