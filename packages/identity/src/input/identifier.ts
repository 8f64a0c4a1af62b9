import { canonicalDomain } from './mail-domain.ts'
import { lowerCase, normalise, withoutInvisible } from './normalise.ts'
import { knownPhoneNumber, phoneNumber } from './phone-number.ts'

export const LONGEST_IDENTIFIER = 320

export function normaliseAddress(value: string): string {
  return normaliseIdentifier('code', value)
}

/** The form in which identifiers are stored and looked up. */
export function normaliseIdentifier(type: string, value: string): string {
  switch (type) {
    case 'password':
    case 'webauthn':
      return knownPhoneNumber(value) ?? canonicalSpelling(value)
    case 'code':
      return phoneNumber(value) ?? canonicalSpelling(value)
    default:
      return value
  }
}

/**
 * The forms in which an identifier may be stored: accounts from before the canonical form keep theirs if another
 * account has the canonical one. Without a former spelling that would name someone else today (SEC-123).
 */
export function storedSpellings(type: string, value: string): readonly string[] {
  const former = formerSpelling(type, value)
  const canonical = normaliseIdentifier(type, value)
  return former === normaliseIdentifier(type, former) ? [canonical] : [former, canonical]
}

/** Whether `stored` is the former spelling of one of these texts, and not how it would be stored today. */
export function isFormerSpelling(type: string, stored: string, texts: readonly string[]): boolean {
  return texts.some(
    (text) => formerSpelling(type, text) === stored && normaliseIdentifier(type, text) !== stored,
  )
}

/**
 * The forms in which a part of an identifier may be stored: of an address, a domain or a phone number. Empty if
 * the text has no visible character.
 */
export function partSpellings(part: string): readonly string[] {
  const text = canonicalSpelling(part)
  const digits = /^[+\d\s().\-/]+$/.test(text) ? [text.replaceAll(/[^+\d]/g, '').replace(/^00/, '+')] : []
  const stored = [formerSpelling, normaliseIdentifier].map((spell) => spell('password', part))
  const spellings = [text, canonicalDomain(text), ...digits, ...stored]
  // Every identifier contains the empty text.
  return [...new Set(spellings)].filter((spelling) => spelling !== '')
}

/** As before the canonical form: with `toLowerCase`, and the domain as typed. */
export function formerSpelling(type: string, value: string): string {
  switch (type) {
    case 'password':
    case 'webauthn':
      return inNfc(withoutInvisible(value).trim().toLowerCase())
    case 'code':
      return phoneNumber(value) ?? inNfc(withoutInvisible(value).trim().toLowerCase())
    default:
      return value
  }
}

export function canonicalSpelling(value: string): string {
  // Lower-casing differs between the encodings of a letter.
  const text = inNfc(lowerCase(inNfc(withoutInvisible(value).trim())))
  const at = text.lastIndexOf('@') + 1
  return at > 0 ? text.slice(0, at) + canonicalDomain(text.slice(at)) : text
}

/** NFC as RFC 6532, 3.1 recommends (FLT-14). It makes one letter of up to four. Longer texts match nothing. */
function inNfc(text: string): string {
  return normalise('NFC', text, 4 * LONGEST_IDENTIFIER) ?? text
}
