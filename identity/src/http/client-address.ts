import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { TrustedProxies } from '../config/trusted-proxies.ts'
import { MOST_PROXIES } from '../config/trusted-proxies.ts'

/** What a request tells about where it comes from. */
export interface Peer {
  /** The address of the socket. */
  readonly address: string | undefined
  header(name: string): string | undefined
}

/**
 * The client's IP address in its canonical spelling; undefined without a socket. Each proxy appends the address that
 * it was called from to X-Forwarded-For, so the header is read from the right and only as far as the proxies are
 * trusted: everything left of that is the client's own word (SEC-43). An entry that is not an address ends the
 * reading at the proxy that sent it.
 */
export function clientAddress(peer: Peer, trusted: TrustedProxies): string | undefined {
  let address = canonicalAddress(peer.address ?? '')
  let rest = trusted === 0 ? '' : (peer.header('x-forwarded-for') ?? '')
  for (let hop = 1; address && rest !== '' && isTrusted(address, hop, trusted); hop += 1) {
    const comma = rest.lastIndexOf(',')
    const next = canonicalAddress(rest.slice(comma + 1).trim())
    if (next === undefined) break
    address = next
    rest = rest.slice(0, Math.max(0, comma))
  }
  return address
}

function isTrusted(address: string, hop: number, trusted: TrustedProxies): boolean {
  if (typeof trusted === 'number') return hop <= trusted
  if (hop > MOST_PROXIES) return false
  const parsed = ipaddr.parse(address)
  return trusted.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}

/** One spelling for each address: an IPv4 address that is mapped into IPv6 is an IPv4 address. Some proxies add ports. */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const [address = ''] = bare.split('%', 1)
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/** An IPv6 address in full with a zone and a port. */
const LONGEST = 80

/** As Go writes the address of a peer, and so as Kratos shows it. */
export function addressAndPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}
