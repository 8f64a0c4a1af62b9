import { domainToASCII } from 'node:url'

/**
 * The mailbox behind a normalised address, as the key of a limit: `ada+1@example.com` and `ada+2@example.com` share one
 * inbox, which is what an attacker would flood (SEC-70). It may join mailboxes that differ, so it never identifies an
 * account and no email is sent to it (SEC-07). Other text, such as a phone number or a user name, stays as it is.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  if (at < 1) return address
  const domain = domainOf(address.slice(at + 1))
  const name = untagged(address.slice(0, at).toLowerCase())
  // Gmail ignores dots. Elsewhere they may distinguish mailboxes.
  if (GMAIL.has(domain)) return `${name.replaceAll('.', '')}@gmail.com`
  return `${name}@${domain}`
}

const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/** RFC 5233 subaddresses. Other separators, such as `-`, are common within names. */
function untagged(local: string): string {
  const tag = local.indexOf('+')
  return tag < 1 ? local : local.slice(0, tag)
}

/** The two spellings of an international domain name are one domain, and so is a name with a trailing dot. */
function domainOf(domain: string): string {
  const name = domain.toLowerCase().replace(/\.+$/, '')
  return domainToASCII(name) || name
}

interface Owned {
  readonly identity_id: string
  readonly verified_at?: string
}

/**
 * The account whose known devices have their own allowance of emails to this address. Anyone can register an address or
 * ask for it, so it must be verified.
 */
export function provenOwner(address: Owned | undefined): { readonly identity_id?: string } {
  return address?.verified_at === undefined ? {} : { identity_id: address.identity_id }
}
