import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { Requester } from '../crypto/passwords/hash-queue.ts'
import type { OwnedAddress } from '../storage/identities/identities.ts'

/**
 * An IPv4 address or IPv6 /64, because a customer controls a whole /64. Callers without an address share one
 * key (SEC-43).
 */
export function clientOf(address: string | undefined): string {
  return prefixOf(address, 32, 64)
}

/** The IPv4 /24, or an organisation's IPv6 /48. */
export function networkOf(address: string | undefined): string {
  return prefixOf(address, 24, 48)
}

export function requesterOf(address: string | undefined): Requester {
  return { client: clientOf(address), network: networkOf(address) }
}

function prefixOf(address: string | undefined, ipv4: number, ipv6: number): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? ipv4 : ipv6
  return parsed
    .toByteArray()
    .slice(0, bits / 8)
    .join('.')
}

/**
 * `ada+1@example.com` and `ada+2@example.com` share one inbox, which an attacker could flood
 * (SEC-70). Distinct mailboxes may share a key, so never identify an account or send an email by it
 * (SEC-07).
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  const domain = domainOf(address.slice(at + 1))
  const name = untagged(address.slice(0, at).toLowerCase())
  // Elsewhere dots may distinguish mailboxes.
  if (GMAIL.has(domain)) return `${name.replaceAll('.', '')}@gmail.com`
  return `${name}@${domain}`
}

const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/** Subaddresses (RFC 5233). Other separators, such as `-`, are common within names. */
function untagged(local: string): string {
  const tag = local.indexOf('+')
  return tag < 1 ? local : local.slice(0, tag)
}

/** Equates Unicode and Punycode forms, with or without a trailing dot. */
function domainOf(domain: string): string {
  const name = domain.toLowerCase().replace(/\.+$/, '')
  return domainToASCII(name) || name
}

/**
 * The owner's known devices have their own email allowance, for a verified address: anyone can
 * register or request another.
 */
export function provenOwner(address: OwnedAddress | undefined) {
  return address?.verified_at === undefined ? {} : { identity_id: address.identity_id }
}
