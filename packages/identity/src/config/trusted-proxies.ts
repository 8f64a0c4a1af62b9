import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** The number of proxies, or their networks. */
export type TrustedProxies = number | readonly string[]

export const MOST_PROXIES = 32

const error = `expected networks such as 10.0.0.0/8 or a number of proxies from 0 to ${MOST_PROXIES}`

const count = z
  .union([z.number(), z.string().trim().regex(/^\d+$/).transform(Number)])
  .pipe(z.int({ error }).min(0, { error }).max(MOST_PROXIES, { error }))

const networks = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(','))])
  .pipe(z.array(z.string().trim().refine(isNetwork, { error }).transform(withPrefix)))

/** `2`, `10.0.0.0/8,fd00::/8`, or a list. */
export const trustedProxies = z.union([count, networks], { error })

function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/', 1)
  return isIP(address) !== 0 && ipaddr.isValidCIDR(withPrefix(text))
}

function withPrefix(network: string): string {
  if (network.includes('/')) return network
  return `${network}/${isIP(network) === 4 ? 32 : 128}`
}
