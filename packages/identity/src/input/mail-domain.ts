import { domainToASCII, domainToUnicode } from 'node:url'

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
