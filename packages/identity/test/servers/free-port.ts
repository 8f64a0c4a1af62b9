import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to connections and to listeners without a port of their own: between here and the
 * start of the server that gets it none of them takes it.
 */
const FIRST = 10_100
const COUNT = 22_000

/** Processes that look for ports at the same time begin at different places. */
let next = process.pid * 997

/** A port for a server that another process starts. Each call of a process returns another one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port), 'listening')
    return true
  } catch {
    return false
  } finally {
    if (probe.listening) await new Promise((resolve) => probe.close(resolve))
  }
}
