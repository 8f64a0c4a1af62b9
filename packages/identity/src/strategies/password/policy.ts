import { distance } from 'fastest-levenshtein'
import type { Context } from '../../contract/contract.ts'
import { MAX_CODE_POINTS } from '../../crypto/passwords/password-hash.ts'
import { FormError } from '../../errors/errors.ts'
import { countCodePoints, normalise, stacksMarks, TOO_MANY_MARKS } from '../../input/normalise.ts'
import { messages } from '../../ui/messages.ts'
import type { UiText } from '../../wire/text.ts'
import { countBreaches } from './breaches.ts'
import { isCommon } from './common-passwords.ts'

/** Throws `FormError` on `password` with the first reason. */
export async function checkPassword(
  ctx: Context,
  password: string,
  identifiers: readonly string[],
): Promise<void> {
  const policy = ctx.config.selfservice.methods.password.config
  const bytes = Buffer.byteLength(password)
  if (bytes < policy.min_password_length) {
    throw refusal(messages.passwordTooShort(policy.min_password_length, bytes))
  }
  const characters = countCodePoints(normalise('NFKC', password, 8 * MAX_CODE_POINTS) ?? password)
  if (characters > MAX_CODE_POINTS) throw refusal(messages.passwordTooLong(MAX_CODE_POINTS, characters))
  if (stacksMarks(password)) throw refusal(messages.passwordRefused(TOO_MANY_MARKS))
  if (
    policy.identifier_similarity_check_enabled &&
    identifiers.some((identifier) => isSimilar(password, identifier))
  ) {
    throw refusal(messages.passwordTooSimilar)
  }
  if (policy.refuse_common_passwords && isCommon(password)) throw refusal(COMMON)
  if (!policy.haveibeenpwned_enabled) return
  const breaches = await countBreaches(ctx, password)
  if (breaches > policy.max_breaches) throw refusal(messages.passwordBreached(breaches))
}

const COMMON = messages.passwordRefused(
  'This password is one of the most common ones. Please choose another.',
)

function refusal(message: UiText): FormError {
  return new FormError(message, 'password')
}

const COMPARED_BYTES = 256

function isSimilar(password: string, identifier: string): boolean {
  const [one, other] = [password.toLowerCase(), identifier.toLowerCase()]
  if (Buffer.byteLength(one) > COMPARED_BYTES || Buffer.byteLength(other) > COMPARED_BYTES) return false
  return distance(one, other) < 5 || containsMost(other, one)
}

function containsMost(text: string, part: string): boolean {
  const length = Math.floor(part.length / 2) + 1
  const starts = Array.from({ length: part.length - length + 1 }, (_, start) => start)
  return starts.some((start) => text.includes(part.slice(start, start + length)))
}
