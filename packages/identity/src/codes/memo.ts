import { normaliseAddress } from '../input/identifier.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import type { FlowKind } from '../wire/flow.ts'
import type { Json, Via } from '../wire/identity.ts'
import type { UiText } from '../wire/text.ts'

export const lastRecipient = storedFlowField<{
  readonly address: string
  /** A rejected form loses its address field's attributes. */
  readonly plain?: true
  readonly prefilled?: string
}>('code')

export interface RecipientChoice {
  readonly typed?: string
  readonly offers?: readonly { readonly hash: string; readonly masked: string }[]
  /** The kind of address to enter in full. */
  readonly via?: Via
}

export const recipientChoice = storedFlowField<RecipientChoice>('choice')

export const mustEnterAddress = storedFlowField<true>('asks_address')

export const continueUrl = storedFlowField<string>('continue_url')

/** Set until the user confirms an opened link. Encrypted. */
export const linkToConfirm = storedFlowField<{ readonly token: string }>('link_to_confirm')

/** The form after a code or a link was sent. */
export function flowAfterMail<K extends FlowKind>(
  flow: Flow<K>,
  address: string,
  message: UiText,
  values: Readonly<Record<string, Json>> = {},
): Flow<K> {
  const sentMemo = { ...lastRecipient.entry({ address }), ...mustEnterAddress.entry(undefined) }
  const memo = { ...flow.memo, ...sentMemo, values, messages: [{ message }] }
  return { ...flow, state: 'sent_email', memo }
}

/** Normalized. */
export function lastAddress(flow: Flow): string | undefined {
  const last = lastRecipient.read(flow)
  return last && normaliseAddress(last.address)
}
