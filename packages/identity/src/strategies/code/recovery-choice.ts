import { createHash } from 'node:crypto'
import { maskAddress } from '../../codes/mail-owner.ts'
import { lastRecipient, recipientChoice } from '../../codes/memo.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { readAddress, readCode, readText } from '../../identities/schema/decode.ts'
import { channelOf } from '../../identities/schema/formats.ts'
import { findTypedAddress } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowState } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'

// The choice of a recipient reveals an account, which operators accept.

const MOST_OFFERS = 10

/** Kratos compatibility: a missing field is reported after the CSRF token and the session. */
export type RecoveryInput = RecoveryAction | { readonly kind: 'missing'; readonly field: string }

/** An empty code requests a new one. */
type RecoveryAction = { readonly kind: 'try'; readonly code: string } | AddressAction

export type AddressAction =
  | { readonly kind: 'send'; readonly address: string }
  | { readonly kind: 'find'; readonly address: string }
  | { readonly kind: 'select'; readonly hash: string }
  /** Returns to the choice if the form still names the address, otherwise to the start. */
  | { readonly kind: 'back'; readonly to_choice: boolean }

export function readChoice({ state }: Flow<'recovery'>, values: Submission['values']): RecoveryInput {
  const read = (field: string, act: (text: string) => RecoveryAction): RecoveryInput => {
    const text = readAddress(values, field)
    return text === undefined ? { kind: 'missing', field } : act(text)
  }
  if (readText(values, 'screen') === 'previous') {
    return { kind: 'back', to_choice: readText(values, 'recovery_address') !== undefined }
  }
  if (state === 'recovery_awaiting_address') {
    return read('recovery_address', (address) => ({ kind: 'find', address }))
  }
  if (state === 'recovery_awaiting_address_choice') {
    // Kratos compatibility: the hidden field is required.
    const field = readAddress(values, 'recovery_select_address')
      ? 'recovery_address'
      : 'recovery_select_address'
    return read(field, () => ({ kind: 'select', hash: readAddress(values, 'recovery_select_address') ?? '' }))
  }
  const code = state === 'recovery_confirming_address' ? undefined : readCode(values, 'code')
  if (code !== undefined) return { kind: 'try', code }
  return read('recovery_confirm_address', (address) => ({ kind: 'send', address }))
}

export async function offerAddresses(
  ctx: Context,
  flow: Flow<'recovery'>,
  typedAddress: string,
): Promise<Flow<'recovery'>> {
  const recipient = await findTypedAddress(ctx.db, 'recovery', typedAddress)
  const identity = recipient && (await findIdentity(ctx.db, recipient.identity_id))
  const offers = (identity?.addresses ?? [])
    .filter(({ purpose }) => purpose === 'recovery')
    .map(({ value }) => value)
    .sort()
    .slice(0, MOST_OFFERS)
    .map((value) => ({ hash: hashOf(value), masked: maskAddress(value) }))
  const choice = { typed: typedAddress, ...(offers.length > 1 ? { offers } : {}) }
  const next = recipientChoice.write(flow, choice)
  return moveTo(next, 'recovery_awaiting_address_choice', messages.recoveryChooseAddress)
}

/** Asks for another address in full. */
export function selectOffer(flow: Flow<'recovery'>, hash: string): string | Flow<'recovery'> {
  const choice = recipientChoice.read(flow) ?? {}
  const { typed = '', offers = [] } = choice
  const chosen = offers.find((offer) => offer.hash === hash)
  if (!chosen) throw new FormError(messages.generic(UNKNOWN_CHOICE))
  if (hashOf(typed) === hash) return typed
  const next = recipientChoice.write(flow, { ...choice, via: channelOf(chosen.masked) })
  return moveTo(next, 'recovery_confirming_address', messages.recoveryAskFullAddress)
}

const UNKNOWN_CHOICE = 'This address cannot be chosen. Please choose one from the list.'

export function goBack(flow: Flow<'recovery'>, to_choice: boolean): Flow<'recovery'> {
  const atChoice = flow.state === 'recovery_awaiting_address_choice'
  if (to_choice && recipientChoice.read(flow)?.offers && !atChoice) {
    return moveTo(flow, 'recovery_awaiting_address_choice', messages.recoveryChooseAddress)
  }
  return moveTo(recipientChoice.write(flow, {}), 'recovery_awaiting_address')
}

export function awaitingCode(flow: Flow<'recovery'>, address: string): Flow<'recovery'> {
  const message = messages.recoveryCodeSentTo(maskAddress(address))
  return moveTo(lastRecipient.write(flow, { address }), 'recovery_awaiting_code', message)
}

function moveTo(flow: Flow<'recovery'>, state: FlowState, message?: UiText): Flow<'recovery'> {
  const messages = message === undefined ? [] : [{ message }]
  const { orphanFields: _, ...memo } = flow.memo
  return { ...flow, state, memo: { ...memo, values: {}, messages } }
}

function hashOf(address: string): string {
  return createHash('sha256').update(address).digest('base64')
}
