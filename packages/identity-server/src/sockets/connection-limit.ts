import type { Socket } from 'node:net'
import { clientOf } from '@ostiary/identity/serving'

export interface ConnectionLimits {
  /** For all clients together. */
  readonly total: number
  /** Counts IPv6 by its /64, which belongs to one customer. */
  readonly perAddress: number
}

export function connectionLimits(settings: {
  readonly total: number
  readonly perAddress: number | undefined
  /** A proxy's connections belong to all its clients. */
  readonly behindProxies: boolean
  /** Divides the limits, because the system spreads an address's connections over workers. */
  readonly workers: number
}): ConnectionLimits {
  const { total, behindProxies, workers } = settings
  const perAddress = settings.perAddress ?? (behindProxies ? total : Math.min(total, 500))
  return { total: Math.ceil(total / workers), perAddress: Math.ceil(perAddress / workers) }
}

/**
 * Closes connections beyond the limits, because each takes a file descriptor and memory. Calls `onRefusal` at
 * most once a minute.
 */
export function connectionLimit(
  { total, perAddress }: ConnectionLimits,
  onRefusal: (address: string) => void,
): (socket: Socket) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const openByClient = new Map<string, number>()
  let openTotal = 0
  return (socket) => {
    const { remoteAddress } = socket
    const client = clientOf(remoteAddress)
    const openCount = openByClient.get(client) ?? 0
    if (openTotal >= total || openCount >= perAddress) {
      socket.destroy()
      if (performance.now() - reportedAt < 60_000) return
      reportedAt = performance.now()
      return onRefusal(remoteAddress ?? 'unknown')
    }
    openTotal += 1
    openByClient.set(client, openCount + 1)
    socket.once('close', () => {
      openTotal -= 1
      const remaining = (openByClient.get(client) ?? 1) - 1
      if (remaining > 0) openByClient.set(client, remaining)
      else openByClient.delete(client)
    })
  }
}
