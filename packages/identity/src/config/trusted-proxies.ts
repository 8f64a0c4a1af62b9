import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** The number of proxies, or their networks. */
export type TrustedProxies = number | readonly string[]

export const MOST_PROXIES = 32

/** `2`, `10.0.0.0/8,fd00::/8`, or a list. */
export const trustedProxies = z
  .union([z.number(), z.string(), z.array(z.string())])
  .transform((value, issues): TrustedProxies => {
    const text = typeof value === 'string' ? value.trim() : value
    if (typeof text === 'number' || (typeof text === 'string' && /^\d+$/.test(text))) {
      const count = Number(text)
      if (Number.isInteger(count) && count >= 0 && count <= MOST_PROXIES) return count
      issues.addIssue(`expected a number of proxies from 0 to ${MOST_PROXIES}`)
      return z.NEVER
    }
    const networks = (typeof text === 'string' ? text.split(',') : text).map((network) => network.trim())
    const wrong = networks.find((network) => !isNetwork(network))
    if (wrong === undefined) return networks.map(withPrefix)
    issues.addIssue(
      `expected networks such as 10.0.0.0/8 or a number of proxies, got ${JSON.stringify(wrong)}`,
    )
    return z.NEVER
  })

function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1)
  return isIP(address) !== 0 && ipaddr.isValidCIDR(withPrefix(text))
}

function withPrefix(network: string): string {
  if (network.includes('/')) return network
  return `${network}/${isIP(network) === 4 ? 32 : 128}`
}
