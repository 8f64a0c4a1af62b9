import type { Context } from '../contract.ts'
import type { Assertion, Expected } from '../crypto/webauthn.ts'
import { isCounterBehind, verifyAssertion } from '../crypto/webauthn.ts'
import { WrongProof } from '../errors.ts'
import type { Credential } from '../storage/credentials.ts'
import { updateCredentialOnce } from '../storage/credentials.ts'
import { messages } from '../ui/messages.ts'
import type { Key } from './keys.ts'
import { configOf, keysOf, withUse } from './keys.ts'

/**
 * Verifies that a response was signed by this key for this challenge, and stores the authenticator's counter. Throws
 * `FormError` 4000008 for every failure: the reason would only help an attacker (SEC-61).
 */
export async function prove(
  ctx: Context,
  credential: Credential,
  key: Key,
  { answer, expected }: { readonly answer: Assertion; readonly expected: Expected },
): Promise<void> {
  const wrong = () => new WrongProof(credential.type, credential.identity_id, messages.credentialWrong)
  const proof = await verifyAssertion(answer, expected, key)
  if (!proof) throw wrong()
  const { sign_count } = key.authenticator
  if (isCounterBehind(proof.sign_count, sign_count)) {
    const known = { identity_id: credential.identity_id, credential_id: credential.id, sign_count }
    ctx.log.warn(
      { ...known, answered: proof.sign_count },
      'a signature counter went backwards: the authenticator may be cloned',
    )
    throw wrong()
  }
  const now = ctx.now().toISOString()
  const used = { sign_count: proof.sign_count, last_used_at: now }
  const config = { ...credential.config, ...configOf(withUse(keysOf(credential), key.id, used)) }
  const stored = await updateCredentialOnce(ctx.db, credential, config, now)
  // Of two concurrent responses, by the authenticator and by its clone, only one is accepted. Without a counter, as
  // with synced passkeys, only the time of use would be lost.
  if (!stored && proof.sign_count !== sign_count) throw wrong()
}
