import type { Identity } from '@ory/client-fetch'

/** What the app's schema of an identity has. */
export interface Traits {
  readonly email?: string
  readonly name?: string
}

export function traitsOf(identity: Identity | undefined): Traits {
  const traits: unknown = identity?.traits
  return (traits ?? {}) as Traits
}
