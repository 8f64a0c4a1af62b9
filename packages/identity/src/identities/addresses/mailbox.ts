import { domainToASCII, domainToUnicode } from 'node:url'
import { DOMAIN } from '../../input/identifier.ts'
import { withoutInvisible } from '../../input/normalise.ts'

// RFC 5321, 4.5.3.1, in octets.
const MAX_LOCAL_PART = 64
const MAX_ADDRESS = 254

/** RFC 5322 atext, and RFC 6531. */
const ATEXT = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+/u.source
const LOCAL_PART = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`, 'u')

/**
 * The address for SMTP, with its domain IDNA-encoded. Undefined unless a plain `local@domain`, because
 * programs parse quotes, comments, lists, routes and literals differently (SEC-09). Full-width letters or
 * ligatures would lead to another domain than shown, and invisible characters to another mailbox (SEC-07).
 */
export function mailbox(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  const domain = address.slice(at + 1)
  if (Buffer.byteLength(address) > MAX_ADDRESS || Buffer.byteLength(local) > MAX_LOCAL_PART) return undefined
  if (!LOCAL_PART.test(local) || local !== withoutInvisible(local)) return undefined
  const ascii = domainToASCII(domain)
  const unicode = domainToUnicode(ascii)
  const spelled = isAscii(domain) ? domain.toLowerCase() === ascii : domain === unicode
  if (!DOMAIN.test(ascii) || !spelled) return undefined
  return `${local}@${isAscii(local) ? ascii : unicode}`
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}
