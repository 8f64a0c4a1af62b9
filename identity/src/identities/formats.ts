import { domainToASCII, domainToUnicode } from 'node:url'

/** Bytes. RFC 5321, 4.5.3.1: what is longer is not carried by every mail server. */
const LONGEST_EMAIL = 254
const LONGEST_LOCAL_PART = 64
const LONGEST_DOMAIN = 253
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+$/iu
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const PHONE_SEPARATORS = /[\s().\-/]/g
const E164 = /^\+[1-9]\d{6,14}$/

/**
 * One plain address and nothing beside it, at most 254 bytes: no list, no display name, no comment and no quoted part,
 * because mail programs disagree about what those mean and one of them would send to somebody else (SEC-09).
 */
export function isEmail(value: string): boolean {
  if (Buffer.byteLength(value) > LONGEST_EMAIL) return false
  const [local, domain, ...rest] = value.split('@')
  if (local === undefined || domain === undefined || rest.length > 0) return false
  if (Buffer.byteLength(local) > LONGEST_LOCAL_PART) return false
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
