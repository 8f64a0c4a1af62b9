import { normaliseAddress } from '../identities/schema/traits.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { memoPart } from '../storage/flows/memo.ts'
import type { Via } from '../wire/identity.ts'

// Memo parts of flows with emailed codes and links.

/** The recipient of the last code. */
export const lastRecipient = memoPart<{
  /** As the user typed it. */
  readonly address: string
  /** The form was rejected, and its address field has no attributes since. */
  readonly plain?: true
  /** The code from an emailed link, shown in its field. */
  readonly prefilled?: string
}>('code')

/** A recovery in which the user chooses the recipient of the code. */
export interface RecipientChoice {
  /** The address that the user typed first. */
  readonly typed?: string
  /** The recipients to choose from, if there is a choice. */
  readonly offers?: readonly { readonly hash: string; readonly masked: string }[]
  /** How the chosen recipient is reached: the form asks for the full address of this kind. */
  readonly via?: Via
}

export const recipientChoice = memoPart<RecipientChoice>('choice')

/** A verification submission lacked what it needs, so the form asks for the address again. */
export const asksAddress = memoPart<true>('asks_address')

/** Where a finished verification redirects. */
export const continueUrl = memoPart<string>('continue_url')

/** An opened link that asks before it acts; its token is encrypted. */
export const linkToConfirm = memoPart<{ readonly token: string }>('link_to_confirm')

/** The recipient of a flow's last code, normalised. */
export function sentTo(flow: Flow): string | undefined {
  const last = lastRecipient.read(flow)
  return last && normaliseAddress(last.address)
}
