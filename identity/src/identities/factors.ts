import type { Strategy } from '../contract.ts'
import type { Credential } from '../storage/credentials.ts'
import type { Aal } from '../wire/session.ts'

/** The strongest proof that these credentials allow: `aal2` as soon as one of them can be a second factor. */
export function availableAal(strategies: readonly Strategy[], credentials: readonly Credential[]): Aal {
  const factors = credentials.flatMap((credential) => {
    const strategy = strategies.find((one) => one.id === credential.type)
    return strategy?.factors?.(credential) ?? []
  })
  return factors.includes('aal2') ? 'aal2' : 'aal1'
}
