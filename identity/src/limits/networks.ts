import ipaddr from 'ipaddr.js'

/**
 * A client: one IPv4 address, or the /64 that a provider hands out to one customer, who may use every address in it.
 * All whose address is unknown are one (SEC-43).
 */
export function clientOf(address: string | undefined): string {
  return prefixOf(address, 32, 64)
}

/** The network around it: /24, or the /48 of an organisation. */
export function networkOf(address: string | undefined): string {
  return prefixOf(address, 24, 48)
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
