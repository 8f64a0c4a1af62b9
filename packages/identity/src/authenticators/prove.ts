import type { Context } from '../contract/contract.ts'
import { type Assertion, type Expected, isCounterBehind, verifyAssertion } from '../crypto/webauthn.ts'
import { WrongProof } from '../errors/errors.ts'
import { compareCounted } from '../limits/limits.ts'
import type { HeldCredential } from '../storage/identities/credentials.ts'
import { messages } from '../ui/messages.ts'
import type { JsonObject } from '../wire/identity.ts'
import { configOf, type Key, keysOf } from './keys.ts'

export interface Claim {
  readonly method: 'passkey' | 'webauthn'
  readonly identity_id: string | undefined
  readonly ownKey: OwnKey | undefined
  /** The user handle, if it selected the account. */
  readonly identifier?: string | undefined
  readonly answer: Assertion
  readonly expected: Expected
}

interface OwnKey {
  readonly credential: HeldCredential
  readonly key: Key
}

/**
 * Verifies the signature. Throws `refusal` for every failure, because the reason would help an attacker (SEC-61).
 * Failures do not count against the account: keys cannot be guessed, and only the verification is expensive
 * (SEC-65).
 */
export async function prove(ctx: Context, claim: Claim, refusal = messages.credentialWrong) {
  const { method, identity_id, ownKey, identifier } = claim
  const wrongProof = () => new WrongProof(method, identity_id, refusal)
  const right = await compareCounted(ctx, { kind: 'password', identity_id }, async ({ begin }) => {
    await begin()
    return ownKey && (await verifyAnswer(ctx, ownKey, claim))
  })
  if (!ownKey || !right) throw wrongProof()
  const { match: sign_count, countedAttempt } = right
  const { credential, key } = ownKey
  const last_used_at = ctx.now().toISOString()
  const use = (config: JsonObject) => withProof(config, key, { sign_count, last_used_at })
  const evidence = { kind: 'entry' as const, credential, identifier, use, refusal }
  return { identity_id: credential.identity_id, countedAttempt, evidence }
}

/** Returns the new signature counter. */
async function verifyAnswer(ctx: Context, { credential, key }: OwnKey, { answer, expected }: Claim) {
  const proof = await verifyAssertion(answer, expected, key)
  const { sign_count } = key.authenticator
  if (!proof || !isCounterBehind(proof.sign_count, sign_count)) return proof?.sign_count
  const usedKey = { identity_id: credential.identity_id, key_id: key.id, sign_count }
  ctx.log.warn(
    { ...usedKey, answered: proof.sign_count },
    'a signature counter went backwards: the authenticator may be cloned',
  )
  return undefined
}

/** Undefined if the key is gone, or the counter rejects one of two responses from an authenticator and its clone. */
function withProof(
  config: JsonObject,
  { id, public_key }: Key,
  { sign_count, last_used_at }: { readonly sign_count: number; readonly last_used_at: string },
): JsonObject | undefined {
  const keys = keysOf({ config })
  const key = keys.find((one) => one.id === id && one.public_key === public_key)
  if (!key || isCounterBehind(sign_count, key.authenticator.sign_count)) return undefined
  const usedKey = { ...key, last_used_at, authenticator: { ...key.authenticator, sign_count } }
  return { ...config, ...configOf(keys.map((one) => (one === key ? usedKey : one))) }
}
