import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** URLs have brackets around an IPv6 address. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

export function isAddress(host: string): boolean {
  return isIP(withoutBrackets(host)) !== 0
}

export function isLoopback(host: string): boolean {
  const name = withoutBrackets(host)
  return name === 'localhost' || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback')
}
