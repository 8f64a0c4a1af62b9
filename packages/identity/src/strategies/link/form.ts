import type { Submission } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { isEmail } from '../../identities/schema/formats.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'

export type LinkInput =
  | { readonly kind: 'open'; readonly token: string }
  | { readonly kind: 'send'; readonly email: string }

export function addressForm(): UiNode[] {
  return [
    input('link', 'email', 'email', { required: true, label: messages.verifyEmailLabel }),
    submit('link', 'link', messages.continueLabel),
  ]
}

/** Throws `FormError`. */
export function readLinkInput(values: Submission['values']): LinkInput {
  const token = readText(values, 'token')
  if (token !== undefined) return { kind: 'open', token }
  const email = readText(values, 'email')
  if (email === undefined) throw new FormError(messages.required('email'), 'email')
  if (!isEmail(email)) throw new FormError(messages.invalidEmail(email), 'email')
  return { kind: 'send', email }
}

/** Link tokens are submitted without a method. */
export function holdsToken(values: Submission['values']): boolean {
  return readText(values, 'token') !== undefined
}
