import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { MOST_PROXIES, type TrustedProxies } from '../config/trusted-proxies.ts'

export interface Peer {
  readonly address: string | undefined
  header(name: string): string | undefined
}

/**
 * Proxies append to X-Forwarded-For, so it is read from the right while proxies are trusted;
 * clients can forge the rest (SEC-43). An invalid address ends the search at the proxy that sent
 * it.
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

/** Whether the direct sender is a trusted proxy, whose headers count. */
export function isProxy(peer: string | undefined, trusted: TrustedProxies): boolean {
  const address = canonicalAddress(peer ?? '')
  return address !== undefined && isTrusted(address, 1, trusted)
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

/** IPv4-mapped IPv6 addresses become IPv4. Some proxies add ports. */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  if (isIPv4(text)) return text
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const [address = ''] = bare.split('%', 1)
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

const LONGEST = 80

/** Formats the address in Go's notation, as Kratos does. */
export function addressAndPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}
