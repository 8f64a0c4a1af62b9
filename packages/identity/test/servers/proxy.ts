import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly port: number
  /** Drops all messages from now on. */
  fallSilent(): void
  /** Dropped since. */
  unheard(): number
  speakAgain(): void
  /** After the server received `times` messages with these words. */
  cutAfter(words: string, times: number): void
  stop(): void
}

/** Between a client and a local port, which is `distance` milliseconds away in each direction. */
export async function startProxy(target: number, distance = 0): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let silent = false
  let unheard = 0
  let cut: { words: string; left: number } | undefined

  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const passes = (data: Buffer) => {
    if (silent) {
      unheard += 1
      return false
    }
    if (!cut || !data.includes(cut.words)) return true
    cut.left -= 1
    if (cut.left >= 0) return true
    breakAll()
    return false
  }
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      const write = (data: Buffer) => !to.destroyed && to.write(data)
      from.on('data', (data: Buffer) => {
        if (!passes(data)) return
        if (distance > 0) setTimeout(write, distance, data)
        else write(data)
      })
      from.on('close', () => {
        sockets.delete(from)
        if (!silent) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      silent = true
    },
    unheard: () => unheard,
    speakAgain() {
      silent = false
    },
    cutAfter(words, times) {
      cut = { words, left: times }
    },
    stop() {
      breakAll()
      server.close()
    },
  }
}
