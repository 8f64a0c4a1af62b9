import ipaddr from 'ipaddr.js'
import type { Requester } from '../crypto/passwords/expected-hashes.ts'

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
