import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Figure, Scenario } from '../figure.ts'
import type { Work } from '../load.ts'
import { measureLoad, median } from '../load.ts'
import type { Product } from '../product.ts'
import { createUser, exchange, newLookUp, signIn, withProduct } from '../product.ts'

const ROUNDS = 3
const COUNTS = [1, 2]
/** Before this process is pinned. */
const CORES = availableParallelism()

/** The load generator is pinned to the first core, which the server may use too. */
export const workers: Scenario = {
  name: 'workers',
  async measure() {
    const figures: Figure[] = []
    for (const count of COUNTS)
      figures.push(
        ...(await withProduct((product) => measureWorkers(product, count), { WORKERS: String(count) })),
      )
    return figures
  },
}

async function measureWorkers(product: Product, count: number): Promise<Figure[]> {
  const { port } = product
  const request = await newLookUp(product)
  const lookUp: Work = async (connection) => void (await exchange(connection, request, 'whoami'))
  const user = await createUser(product)
  const login: Work = async (connection) => void (await signIn(connection, port, user))
  // The server would inherit this.
  if (!pinTo('0')) {
    console.log('There is no taskset here, and without it the figures would say nothing.')
    return []
  }
  try {
    const look_ups: number[] = []
    const logins: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      look_ups.push((await measureLoad({ port, visitors: 16, seconds: 2 }, lookUp)).rate)
      logins.push((await measureLoad({ port, visitors: 8, seconds: 4 }, login)).rate)
    }
    const figure = (name: string, values: readonly number[]): Figure => ({
      name: `${name}, WORKERS=${count}`,
      unit: '1/s',
      value: median(values),
      aside: true,
    })
    return [figure('whoami', look_ups), figure('flow + login', logins)]
  } finally {
    pinTo(`0-${CORES - 1}`)
  }
}

function pinTo(cores: string): boolean {
  return spawnSync('taskset', ['-acp', cores, String(process.pid)]).status === 0
}
