import { domainToASCII, domainToUnicode } from 'node:url'

const LONGEST_EMAIL = 320
const LONGEST_DOMAIN = 253
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+$/iu
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const PHONE_SEPARATORS = /[\s().\-/]/g
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * One plain address and nothing beside it, at most 320 characters: no list, no display name, no comment and no quoted
 * part, because mail programs disagree about what those mean and one of them would send to somebody else (SEC-09).
 */
export function isEmail(value: string): boolean {
  return value.length <= LONGEST_EMAIL && isEmailOfAnyLength(value)
}

export function isEmailOfAnyLength(value: string): boolean {
  const [local, domain, ...rest] = value.split('@')
  if (local === undefined || domain === undefined || rest.length > 0) return false
  return local.split('.').every((atom) => ATOM.test(atom)) && isDomain(domain)
}

/** A number with its country code; blanks, dots, dashes, slashes and brackets may stand in it. */
export function isPhone(value: string): boolean {
  return phoneNumber(value) !== undefined
}

/** As E.164 writes it: `+442079460958`. */
export function phoneNumber(value: string): string | undefined {
  const digits = value.replace(PHONE_SEPARATORS, '')
  return E164.test(digits) ? digits : undefined
}

function isDomain(domain: string): boolean {
  // A domain that a mail program would rewrite, such as one in full-width letters, leads to another host (SEC-07).
  const ascii = /^[\x20-\x7e]*$/.test(domain) ? domain : domainToASCII(domain)
  if (ascii !== domain && domainToUnicode(ascii) !== domain.toLowerCase()) return false
  return ascii.length <= LONGEST_DOMAIN && ascii.split('.').every((label) => LABEL.test(label))
}
