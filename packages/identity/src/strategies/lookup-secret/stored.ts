import type { Context } from '../../contract/contract.ts'
import type { HashRequest } from '../../crypto/passwords/hash-queue.ts'
import { isEqual } from '../../crypto/secrets.ts'
import type { Subject } from '../../identities/subject.ts'
import { credentialOf } from '../../identities/subject.ts'
import type { CountedTurn } from '../../limits/guess.ts'
import type { Credential } from '../../storage/identities/credentials.ts'
import type { JsonObject } from '../../wire/identity.ts'

export interface StoredCode extends JsonObject {
  /** argon2id. */
  readonly hash: string
  /** RFC 3339. `null` if unused. */
  readonly used_at: string | null
}

export interface StoredCodes extends JsonObject {
  readonly recovery_codes: readonly StoredCode[]
}

export function backupCodesOf(
  subject: Subject | undefined,
): (Credential & { readonly config: StoredCodes }) | undefined {
  const own = credentialOf(subject, 'lookup_secret')
  return own && { ...own, config: own.config as StoredCodes }
}

/** A shared salt costs one hash instead of twelve, and with 50 bits hardly helps an attacker. */
export async function hashBackupCodes(
  ctx: Context,
  codes: readonly string[],
  turn: HashRequest,
): Promise<StoredCodes> {
  const [first = '', ...rest] = codes
  const hashes = [await ctx.hasher.hashArgon2(first, undefined, turn)]
  // Each client has few places in the queue.
  for (const code of rest) hashes.push(await ctx.hasher.hashArgon2(code, hashes[0] ?? '', turn))
  return { recovery_codes: hashes.map((hash) => ({ hash, used_at: null })) }
}

export async function indexOfBackupCode(
  ctx: Context,
  set: StoredCodes,
  typed: string,
  turn: CountedTurn,
): Promise<number | undefined> {
  const [first] = set.recovery_codes
  if (!first) {
    await turn.begin()
    return undefined
  }
  const hash = Buffer.from(await ctx.hasher.hashArgon2(typed, first.hash, turn))
  const index = set.recovery_codes.findIndex((code) => isEqual(Buffer.from(code.hash), hash))
  return index < 0 ? undefined : index
}
