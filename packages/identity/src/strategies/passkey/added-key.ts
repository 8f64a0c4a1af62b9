import type { Ceremony } from '../../authenticators/ceremony.ts'
import type { Key } from '../../authenticators/keys.ts'
import { newKey, UNNAMED } from '../../authenticators/keys.ts'
import type { Context } from '../../contract/contract.ts'
import type { Attestation } from '../../crypto/webauthn.ts'
import { verifyAttestation } from '../../crypto/webauthn.ts'
import { FormError } from '../../errors/errors.ts'
import { messages } from '../../ui/messages.ts'

/** Throws `FormError`. */
export async function addedKey(
  ctx: Context,
  ceremony: Ceremony | undefined,
  answer: Attestation,
): Promise<Key> {
  const { rp, authenticator_selection } = ctx.config.selfservice.methods.passkey.config
  const user_verification = authenticator_selection.user_verification === 'required'
  const attested =
    ceremony && (await verifyAttestation(answer, { challenge: ceremony.challenge, rp, user_verification }))
  if (!attested || ceremony.user_handle === undefined) throw new FormError(messages.generic(REFUSED))
  return newKey(attested, {
    display_name: UNNAMED,
    added_at: ctx.now().toISOString(),
    is_passwordless: true,
    user_handle: ceremony.user_handle,
  })
}

const REFUSED =
  'This passkey could not be added. Please try again, and confirm with your fingerprint, your face or a PIN.'
