import type { Socket } from 'node:net'
import { clientOf } from '@ostiary/identity/serving'

export interface ConnectionLimits {
  /** For all clients together. */
  readonly all: number
  /** Counts IPv6 by its /64, which belongs to one customer. */
  readonly perAddress: number
}

interface ConnectionSettings {
  readonly all: number
  readonly perAddress: number | undefined
  /** A proxy's connections belong to all its clients. */
  readonly behindProxies: boolean
  /** Divides the limits, because the system spreads an address's connections over workers. */
  readonly workers?: number
}

export function connectionLimits(settings: ConnectionSettings): ConnectionLimits {
  const { all, behindProxies, workers = 1 } = settings
  const perAddress = settings.perAddress ?? (behindProxies ? all : Math.min(all, 500))
  return { all: Math.ceil(all / workers), perAddress: Math.ceil(perAddress / workers) }
}

/**
 * Closes connections beyond the limits, because each takes a file descriptor and memory. Calls `onRefusal` at
 * most once a minute.
 */
export function connectionLimit(
  { all, perAddress }: ConnectionLimits,
  onRefusal: (address: string) => void,
): (socket: Socket) => void {
  const tell = atMostEachMinute(onRefusal)
  const open = new Map<string, number>()
  let total = 0
  return (socket) => {
    const { remoteAddress } = socket
    const client = clientOf(remoteAddress)
    const openCount = open.get(client) ?? 0
    if (total >= all || openCount >= perAddress) {
      tell(remoteAddress ?? 'unknown')
      socket.destroy()
      return
    }
    total += 1
    open.set(client, openCount + 1)
    socket.once('close', () => {
      total -= 1
      const remaining = (open.get(client) ?? 1) - 1
      if (remaining > 0) open.set(client, remaining)
      else open.delete(client)
    })
  }
}

function atMostEachMinute<Input>(tell: (input: Input) => void): (input: Input) => void {
  let last = Number.NEGATIVE_INFINITY
  return (input) => {
    if (performance.now() - last < 60_000) return
    last = performance.now()
    tell(input)
  }
}
