import { memoPart } from '../storage/flows/memo.ts'
import type { ProofMethod } from '../wire/session.ts'

/** The identity that a provider account shall be linked to, bound to that identity (SEC-25). */
export interface AccountLink {
  readonly identity_id: string
  readonly identifier: string
  /** The method that proved the provider account. */
  readonly method: ProofMethod
  readonly provider: string
  /** The provider account, encrypted. */
  readonly offer: string
  /** The only methods that the form offers; all if absent. */
  readonly methods?: readonly string[]
  readonly providers?: readonly string[]
  /** The credentials that the account has, for the message. */
  readonly hints?: readonly string[]
}

/** Set on a sign-in that links a provider account to the account with its address. */
export const accountLink = memoPart<AccountLink>('account_link')
