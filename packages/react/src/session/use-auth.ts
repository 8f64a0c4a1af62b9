import type { Identity } from '@ory/client-fetch'
import { createContext, useContext } from 'react'
import type { OwnSession, UsualTraits } from './session.ts'

export interface Auth {
  readonly session: OwnSession | null
  readonly isAuthenticated: boolean
  /** True at start and during each session fetch. */
  readonly isLoading: boolean
  /** True when the last fetch failed. The provider keeps retrying. */
  readonly isUnreachable: boolean
  readonly needsSecondFactor: boolean
  /** The user logged out, here or in another tab. */
  readonly hasSignedOut: boolean
  refetch(): Promise<void>
  /** Ends the session. If that fails, throws 'could not be logged out' and changes nothing. */
  logout(): Promise<void>
}

export const AuthContext = createContext<Auth | undefined>(undefined)

/**
 * The session, renewed, and equal in all tabs. Throws outside of `AuthProvider`.
 *
 * @example const { session, logout } = useAuth()
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

/** The traits that most accounts have. */
export function traitsOf(identity: Pick<Identity, 'traits'> | undefined): UsualTraits {
  const traits: unknown = identity?.traits
  return (traits ?? {}) as UsualTraits
}
