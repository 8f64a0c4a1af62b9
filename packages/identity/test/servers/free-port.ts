import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems assign higher ports to connections and listeners. */
const FIRST = 10_100
const COUNT = 22_000

/** Spreads processes that search at once. */
let next = process.pid * 997

/** For a server in another process, different at each call. */
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
