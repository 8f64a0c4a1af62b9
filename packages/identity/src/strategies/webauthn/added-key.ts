import type { Ceremony } from '../../authenticators/ceremony.ts'
import type { Key } from '../../authenticators/keys.ts'
import { newKey } from '../../authenticators/keys.ts'
import type { Context } from '../../contract/contract.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import { verifyAttestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { messages } from '../../ui/messages.ts'
import { userVerification } from './user-verification.ts'

const LONGEST_NAME = 100

/** The key's name; undefined if left empty. Throws `FormError` if it is too long. */
export function readKeyName(values: Readonly<Record<string, unknown>>): string | undefined {
  const name = readText(values, 'webauthn_register_displayname')?.trim()
  if (name === undefined || name === '') return undefined
  if (name.length <= LONGEST_NAME) return name
  throw new FormError(messages.tooLong(LONGEST_NAME, name.length), 'webauthn_register_displayname')
}

/** The new security key in a registration response. Throws `FormError` if the response is invalid. */
export async function addedKey(
  ctx: Context,
  ceremony: Ceremony | undefined,
  answer: Attestation,
  display_name: string,
): Promise<Key> {
  const { rp, passwordless } = ctx.config.selfservice.methods.webauthn.config
  const user_verification = userVerification(ctx, passwordless) === 'required'
  const attested =
    ceremony && (await verifyAttestation(answer, { challenge: ceremony.challenge, rp, user_verification }))
  if (!attested) throw new FormError(messages.generic(passwordless ? REFUSED_ALONE : REFUSED))
  const added_at = ctx.now().toISOString()
  return newKey(attested, { display_name, added_at, is_passwordless: passwordless })
}

const REFUSED = 'This security key could not be added. Please try again.'
const REFUSED_ALONE =
  'This security key could not be added. Please try again, and confirm with your fingerprint, your face or a PIN.'
