import { recipientChoice } from '../../codes/memo.ts'
import type { Submission } from '../../contract.ts'
import { FormError } from '../../errors.ts'
import { readObject, readText } from '../../identities/decode.ts'
import { isEmail } from '../../identities/formats.ts'
import type { Flow } from '../../storage/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { JsonObject } from '../../wire/identity.ts'

/** The requested step of a recovery by code. */
export type Intent = { readonly transient_payload: JsonObject } & Act

type Act =
  | { readonly kind: 'try'; readonly code: string }
  | { readonly kind: 'send'; readonly address: string }
  /** With a choice of addresses: list them, select one, go back. */
  | { readonly kind: 'find'; readonly address: string }
  | { readonly kind: 'select'; readonly hash: string }
  /** Back to the choice if the form still names the account's address, else to the start. */
  | { readonly kind: 'back'; readonly to_choice: boolean }

type Values = Submission['values']

/** Throws `FormError` if something is missing. */
export function readIntent(flow: Flow<'recovery'>, values: Values): Intent {
  const transient_payload = readObject(values, 'transient_payload')
  return {
    ...(recipientChoice.read(flow) ? readChoice(flow, values) : read(flow, values)),
    transient_payload,
  }
}

/** An address beside a code requests a new code. A missing code counts as a wrong one. */
function read(flow: Flow<'recovery'>, values: Values): Act {
  // An operator's flow sends no email: a browser that requests one is rejected, an app's address is ignored as a wrong
  // code.
  const isMailless = flow.memo.by_operator && flow.type === 'api'
  const address = isMailless ? undefined : readText(values, 'email')
  if (address === undefined && flow.state !== 'choose_method') {
    return { kind: 'try', code: readText(values, 'code') ?? '' }
  }
  if (address === undefined) throw new FormError(messages.required('email'), 'email')
  if (!isEmail(address)) throw new FormError(messages.invalidEmail(address), 'email')
  return { kind: 'send', address }
}

/** An empty code requests a new one. */
function readChoice({ state }: Flow<'recovery'>, values: Values): Act {
  if (readText(values, 'screen') === 'previous') {
    return { kind: 'back', to_choice: readText(values, 'recovery_address') !== undefined }
  }
  if (state === 'recovery_awaiting_address') {
    return { kind: 'find', address: readRequired(values, 'recovery_address') }
  }
  if (state === 'recovery_awaiting_address_choice') {
    const hash = readRequired(values, 'recovery_select_address')
    // Kratos compatibility: the form's hidden field is required.
    readRequired(values, 'recovery_address')
    return { kind: 'select', hash }
  }
  const code = state === 'recovery_confirming_address' ? undefined : readText(values, 'code')
  if (code !== undefined) return { kind: 'try', code }
  return { kind: 'send', address: readRequired(values, 'recovery_confirm_address') }
}

function readRequired(values: Values, name: string): string {
  const text = readText(values, name)
  if (text === undefined) throw new FormError(messages.required(name), name)
  return text
}
