import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from '../connection.ts'
import { openConnection } from '../connection.ts'
import { measureOnBoth } from '../databases.ts'
import type { Figure, Scenario } from '../figure.ts'
import { measureLoad, percentile, startSteadily } from '../load.ts'
import type { Product } from '../product.ts'
import { exchange, newLookUp, withProduct } from '../product.ts'

const SHARES = [0.5, 0.8, 1.2, 2]
const SECONDS = 5
/** Later responses count as missing. */
const LONGEST_MS = 1_000
const ADDRESSES = 20
const MOST_CONNECTIONS = 2_000

export const lookUpLoad: Scenario = {
  name: 'look-up-load',
  measure: () =>
    measureOnBoth((database, settings) =>
      withProduct((product) => measureShares(product, database), settings),
    ),
}

async function measureShares(product: Product, database: string): Promise<Figure[]> {
  const { port } = product
  const request = await newLookUp(product)
  const ask = async (one: Connection) => void (await exchange(one, request, 'whoami'))
  const { rate: capacity } = await measureLoad({ port, visitors: 16, seconds: 3 }, ask)
  const figures: Figure[] = []
  for (const share of SHARES) {
    const { answered, durations } = await offer(port, request, capacity * share)
    const name = `look-ups at ${share * 100} % of capacity, ${database}`
    const expected = Math.min(capacity, capacity * share)
    figures.push(
      { name, unit: '1/s', value: answered / SECONDS, limit: expected, goal: { share: 0.8 } },
      { name: `${name}: p99`, unit: 'ms', value: percentile(durations, 0.99), aside: true },
    )
    await delay(1_000)
  }
  return figures
}

/** `durations` has the answered ones, in milliseconds. */
async function offer(port: number, request: string, rate: number) {
  const idle: Connection[] = []
  const durations: number[] = []
  let opened = 0
  const ask = async () => {
    const began = performance.now()
    const reused = idle.pop()
    if (!reused && opened >= MOST_CONNECTIONS) return
    if (!reused) opened += 1
    const connection = reused ?? (await openConnection(port, `127.0.1.${(opened % ADDRESSES) + 1}`))
    const { status } = await connection.exchange(request)
    const duration = performance.now() - began
    if (status === 200 && duration <= LONGEST_MS) durations.push(duration)
    idle.push(connection)
  }
  await startSteadily({ rate, seconds: SECONDS }, ask)
  for (const connection of idle) connection.close()
  return { answered: durations.length, durations }
}
