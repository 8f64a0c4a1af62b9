import { domainToASCII, domainToUnicode } from 'node:url'
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
 * The forms in which a part of an identifier may be stored: of an address, a domain or a phone number. Empty if
 * the text has no visible character.
 */
export function partSpellings(part: string): readonly string[] {
  const text = canonicalSpelling(part)
  const digits = /^[+\d\s().\-/]+$/.test(text) ? [text.replaceAll(/[^+\d]/g, '').replace(/^00/, '+')] : []
  const spellings = [text, canonicalDomain(text), ...digits, normaliseIdentifier('password', part)]
  // Every identifier contains the empty text.
  return [...new Set(spellings)].filter((spelling) => spelling !== '')
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

/** A name that looks like an IP address has no mail servers. */
export const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Node would decode percent signs and read numbers as IP addresses. */
const MAPPED = /^(?=.*(?:[^\0-\x7f]|xn--))[\p{L}\p{M}\p{N}\p{S}.\u3002\uff0e\uff61-]{1,253}$/u

/**
 * Maps every spelling of an internationalized domain to its Unicode form (UTS 46): Chromium's email field
 * sends `xn--exmple-cua.com`, and other browsers `exämple.com`.
 */
export function canonicalDomain(domain: string): string {
  if (!MAPPED.test(domain)) return domain
  const ascii = domainToASCII(domain)
  return DOMAIN.test(ascii) ? domainToUnicode(ascii) : domain
}
