import type { Socket } from 'node:net'
import { isIPv6 } from 'node:net'

export interface ConnectionLimits {
  /** Over all addresses. */
  readonly all: number
  /** IPv6 addresses count by their /64, the usual allocation of one customer. */
  readonly perAddress: number
}

interface ConnectionSettings {
  readonly MAX_CONNECTIONS: number
  readonly MAX_CONNECTIONS_PER_ADDRESS?: number | undefined
  readonly TRUSTED_PROXIES?: string | undefined
}

/** The connections of a proxy are those of all its clients. */
export function connectionLimits(settings: ConnectionSettings): ConnectionLimits {
  const { MAX_CONNECTIONS: all, MAX_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXIES = '0' } = settings
  const usual = TRUSTED_PROXIES === '0' ? Math.min(all, 500) : all
  return { all, perAddress: MAX_CONNECTIONS_PER_ADDRESS ?? usual }
}

/** Closes connections beyond the limits at once: each takes a file descriptor and memory, even when idle. */
export function createConnectionLimit(
  { all, perAddress }: ConnectionLimits,
  onRefusal: (network: string) => void,
): (socket: Socket) => void {
  const open = new Map<string, number>()
  let total = 0
  return (socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const own = open.get(network) ?? 0
    if (total >= all || own >= perAddress) {
      onRefusal(network)
      socket.destroy()
      return
    }
    total++
    open.set(network, own + 1)
    socket.once('close', () => {
      total--
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  }
}

function networkOf(address: string): string {
  const ipv4 = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  if (!isIPv6(ipv4)) return ipv4
  const [head = '', tail] = ipv4.split('%', 1)[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => '0')
  return `${[...groups, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
