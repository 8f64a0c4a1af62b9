import type { Context } from '../contract.ts'
import type { Credential } from '../storage/credentials.ts'

/** The number of first factors under the current configuration; each passkey counts as one. */
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
