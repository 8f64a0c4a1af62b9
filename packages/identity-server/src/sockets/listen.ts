import type { AddressInfo, Server } from 'node:net'

/**
 * Listening sockets per address. libuv accepts one connection per socket and turn of the event loop: with one socket a
 * loop whose turns take 10 ms under load accepts 100 connections a second, and the others wait unseen. Linux distributes
 * connections over sockets that share a port.
 */
const ACCEPTORS = process.platform === 'linux' ? 8 : 1

/** Why an address cannot be had; with any other error the system cannot share ports. */
const REASONS = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND']

interface Address {
  /** Every address of the machine if absent. */
  readonly host?: string
  /** 0: any free one. */
  readonly port: number
  /** Another worker of this server listens there already. */
  readonly shared?: boolean
}

/** Listens with several servers on one address. Rejects with the error of `Server.listen`. */
export async function listenWithAll<S extends Server>(
  create: () => S,
  { host, port, shared = false }: Address,
): Promise<[S, ...S[]]> {
  const reusePort = ACCEPTORS > 1
  const at = (port: number) => ({ port, reusePort, backlog: 4096, ...(host === undefined ? {} : { host }) })
  // A port that is shared would be given out twice: listening alone first tells whether another program has it.
  // A worker would otherwise ask its primary to listen.
  const alone = { ...at(port), reusePort: false, exclusive: true }
  if (reusePort && port !== 0 && !shared) await close(await start(create(), alone))
  const first = await start(create(), at(port)).catch((error: NodeJS.ErrnoException) => {
    if (reusePort && !REASONS.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!first) return [await start(create(), { ...at(port), reusePort: false })]
  const { port: given } = first.address() as AddressInfo
  const others = Array.from({ length: ACCEPTORS - 1 }, create)
  try {
    await Promise.all(others.map((server) => start(server, at(given))))
  } catch (error) {
    // A server that stays open would keep the process from ending.
    for (const server of [first, ...others]) server.close()
    throw error
  }
  return [first, ...others]
}

function start<S extends Server>(server: S, options: Parameters<Server['listen']>[0]): Promise<S> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
