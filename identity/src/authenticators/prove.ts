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
 * Checks that an answer was made with this key for what was asked, and keeps the authenticator's counter. Throws
 * `FormError` 4000008 whatever is wrong: which of it would only help somebody who tries (SEC-61).
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
      'an authenticator counts backwards: it may be a copy',
    )
    throw wrong()
  }
  const now = ctx.now().toISOString()
  const used = { sign_count: proof.sign_count, last_used_at: now }
  const config = { ...credential.config, ...configOf(withUse(keysOf(credential), key.id, used)) }
  const stored = await updateCredentialOnce(ctx.db, credential, config, now)
  // Of two answers at a time, one by the authenticator and one by its copy, one counts. Without a counter, as synced
  // passkeys have none, only the time of use would be missed.
  if (!stored && proof.sign_count !== sign_count) throw wrong()
}
