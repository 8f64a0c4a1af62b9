import type { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { asciiDigits, normalise, withoutInvisible } from './normalise.ts'

const SEPARATORS = /^tel:|\(0\)|[\s().\-/\p{Pd}\u2212]/giu
/** ITU-T E.164. */
const E164 = /^\+[1-9]\d{6,14}$/
const LONGEST = 64

let parse: typeof parsePhoneNumberFromString | undefined

/** The metadata takes 19 MB and 0.2 s. Without it, anything like E.164 is valid. */
export async function loadPhoneNumbers(): Promise<void> {
  parse ??= (await import('libphonenumber-js/max')).parsePhoneNumberFromString
}

/** Whether this is an assigned number with its country code. */
export function isPhone(value: string): boolean {
  return phoneNumber(value) !== undefined
}

/**
 * In E.164, from the spellings of address books: in any grouping and the digits of any script, with `00` for
 * the `+`, and with the zero that callers from abroad leave out.
 */
export function phoneNumber(value: string): string | undefined {
  const text = normalise('NFKC', withoutInvisible(value), LONGEST) ?? ''
  const digits = asciiDigits(text.replaceAll(SEPARATORS, '')).replace(/^00/, '+')
  // The library also accepts extensions.
  if (!E164.test(digits)) return undefined
  if (!parse) return digits
  const parsed = parse(digits)
  return parsed?.isValid() ? parsed.number : undefined
}

/** For identifiers that may be user names. Undefined unless the service knows phone numbers. */
export function knownPhoneNumber(value: string): string | undefined {
  return parse && phoneNumber(value)
}
