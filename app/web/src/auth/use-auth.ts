import type { Identity } from '@ory/client-fetch'
import { createContext, useContext } from 'react'
import type { OwnSession } from './session.ts'

export interface Auth {
  readonly session: OwnSession | null
  /** True only when a session exists and is active. */
  readonly isAuthenticated: boolean
  /** True at start and during each session fetch. */
  readonly isLoading: boolean
  /** True when the last fetch got no answer; the provider keeps asking. */
  readonly isUnreachable: boolean
  /** The first factor is proven; the account requires a second one. */
  readonly needsSecondFactor: boolean
  /** The session ended by signing out, here or in another tab, and not by itself. */
  readonly hasSignedOut: boolean
  /** Fetches the session again. */
  refetch(): Promise<void>
  /** Ends the session; throws 'could not be logged out' and leaves everything as it was when that fails. */
  logout(): Promise<void>
}

export const AuthContext = createContext<Auth | undefined>(undefined)

export function useAuth(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

/** What the app's schema of an identity has. */
export interface Traits {
  readonly email?: string
  readonly name?: string
}

export function traitsOf(identity: Identity | undefined): Traits {
  const traits: unknown = identity?.traits
  return (traits ?? {}) as Traits
}
