import type { Context } from '../contract/contract.ts'
import type { Assertion, Expected } from '../crypto/webauthn.ts'
import { isCounterBehind, verifyAssertion } from '../crypto/webauthn.ts'
import { WrongProof } from '../errors/errors.ts'
import { guess } from '../limits/limits.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import { updateCredentialOnce } from '../storage/identities/credentials.ts'
import type { Counted } from '../storage/limits.ts'
import { messages } from '../ui/messages.ts'
import type { Key } from './keys.ts'
import { configOf, keysOf, withUse } from './keys.ts'

export interface Claim {
  readonly method: 'passkey' | 'webauthn'
  readonly identity_id: string | undefined
  readonly own: { readonly credential: Credential; readonly key: Key } | undefined
  readonly answer: Assertion
  readonly expected: Expected
}

/**
 * Verifies the signature and stores the authenticator's counter. Throws `refusal` for every failure, because
 * the reason would help an attacker (SEC-61). Failures do not count against the account: keys cannot be
 * guessed, and only the verification is expensive (SEC-65).
 */
export async function prove(
  ctx: Context,
  claim: Claim,
  refusal = messages.credentialWrong,
): Promise<{ readonly identity_id: string; readonly counted: Counted }> {
  const { method, identity_id, own } = claim
  const wrong = () => new WrongProof(method, identity_id, refusal)
  const right = await guess(ctx, { kind: 'password', identity_id }, async ({ begin }) => {
    await begin()
    if (!own) throw wrong()
    await verify(ctx, own, claim, wrong)
    return own.credential.identity_id
  })
  if (!right) throw wrong()
  return { identity_id: right.found, counted: right.counted }
}

async function verify(
  ctx: Context,
  { credential, key }: NonNullable<Claim['own']>,
  { answer, expected }: Claim,
  wrong: () => WrongProof,
): Promise<void> {
  const proof = await verifyAssertion(answer, expected, key)
  if (!proof) throw wrong()
  const { sign_count } = key.authenticator
  if (isCounterBehind(proof.sign_count, sign_count)) {
    const known = { identity_id: credential.identity_id, key_id: key.id, sign_count }
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
  // Rejects one of two concurrent responses from an authenticator and its clone. Without a counter
  // (synced passkeys) only the time of use would be lost.
  if (!stored && proof.sign_count !== sign_count) throw wrong()
}
