import { domainToASCII, domainToUnicode } from 'node:url'

// RFC 5321, 4.5.3.1: octets. What is longer is not carried by every mail server.
const MAX_LOCAL_PART = 64
const MAX_ADDRESS = 254

/** RFC 5322 atext; beyond ASCII (RFC 6531) letters, marks and digits. */
const ATEXT = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}]+/u.source
const LOCAL_PART = new RegExp(`^${ATEXT}(?:\\.${ATEXT})*$`, 'u')
/** The last label is no number: what looks like an IP address has no mail servers. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The address as a mail server is told it, or undefined for what is no plain `local@domain`: no quotes, comments,
 * lists, routes or address literals, whose parts different programs split differently (SEC-09). It is the given
 * string itself but for the domain's letter case and its encoding; a domain that is only *equivalent* to another
 * (full-width letters, ligatures) is refused, or a mail would go where its address does not say (SEC-07).
 */
export function mailbox(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  const domain = address.slice(at + 1)
  if (!LOCAL_PART.test(local) || Buffer.byteLength(local) > MAX_LOCAL_PART) return undefined
  if (Buffer.byteLength(address) > MAX_ADDRESS) return undefined
  const ascii = domainToASCII(domain)
  const unicode = domainToUnicode(ascii)
  const spelled = isAscii(domain) ? domain.toLowerCase() === ascii : domain === unicode
  if (!DOMAIN.test(ascii) || !spelled) return undefined
  return `${local}@${isAscii(local) ? ascii : unicode}`
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}
