import type { Completion } from '../contract/completion.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import type { ProofMethod } from '../wire/session.ts'

/** The only account that a login form accepts. */
interface NamedAccount {
  readonly identity_id: string
  readonly identifier: string
  readonly methods?: readonly string[]
  readonly providers?: readonly string[]
}

/** A provider account, which may be linked to one identity only (SEC-25). */
export interface AccountLink extends NamedAccount {
  readonly method: ProofMethod
  readonly provider: string
  /** The provider account, encrypted for `LINK_OFFER`. */
  readonly offer: string
  readonly hints?: readonly string[]
}

export const accountLink = storedFlowField<AccountLink>('account_link')

export const LINK_OFFER = 'link offer'

/** A verification that counts once its browser signs in (SEC-24). */
export interface AwaitedProof extends NamedAccount {
  readonly flow_id: string
  readonly completion: Completion['verification']
}

export const awaitedProof = storedFlowField<AwaitedProof>('awaited_proof')

export function namedAccount(flow: Parameters<typeof accountLink.read>[0]): NamedAccount | undefined {
  return accountLink.read(flow) ?? awaitedProof.read(flow)
}
