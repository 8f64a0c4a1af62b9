import { normaliseAddress } from '../identities/schema/traits.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { memoPart } from '../storage/flows/memo.ts'
import type { Via } from '../wire/identity.ts'

export const lastRecipient = memoPart<{
  /** As the user typed it. */
  readonly address: string
  /** The form was rejected, which removes the attributes of its address field. */
  readonly plain?: true
  /** The code from an emailed link, shown in its field. */
  readonly prefilled?: string
}>('code')

/** For a recovery in which the user chooses the recipient. */
export interface RecipientChoice {
  readonly typed?: string
  /** Set if there are several recipients. */
  readonly offers?: readonly { readonly hash: string; readonly masked: string }[]
  /** The form asks for the full address of this kind. */
  readonly via?: Via
}

export const recipientChoice = memoPart<RecipientChoice>('choice')

/** Set after an incomplete verification submission. */
export const asksAddress = memoPart<true>('asks_address')

/** The redirect target of a finished verification. */
export const continueUrl = memoPart<string>('continue_url')

/** Set while an opened link waits for confirmation. The token is encrypted. */
export const linkToConfirm = memoPart<{ readonly token: string }>('link_to_confirm')

/** Normalized. */
export function sentTo(flow: Flow): string | undefined {
  const last = lastRecipient.read(flow)
  return last && normaliseAddress(last.address)
}
