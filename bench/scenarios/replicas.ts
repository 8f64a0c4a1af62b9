import { randomBytes } from 'node:crypto'
import { startPostgres } from '@ostiary/identity/testing/servers/postgres-server'
import { startProxy } from '@ostiary/identity/testing/servers/proxy'
import { requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { measureLoad, median, type Work } from '../load.ts'
import type { Product, User } from '../product.ts'
import { createUser, exchange, makeFolder, signIn, startProduct } from '../product.ts'

/** A commit that waits for the disk takes 10 ms. */
const SLOW_COMMITS = ['fsync=on', 'synchronous_commit=on', 'commit_delay=10000', 'commit_siblings=0']
/** Milliseconds between replicas and database, so that they and not the cores bound the rates. */
const DISTANCE = 15
const ROUNDS = 3

/** The limit is twice the rate of one replica. */
export const replicas: Scenario = {
  name: 'replicas',
  onlyByName: true,
  async measure() {
    await using server = await startPostgres({ settings: SLOW_COMMITS })
    if (!server) {
      console.log('There is no PostgreSQL on this machine, and none could be installed.')
      return []
    }
    const url = new URL(server.url)
    const proxy = await startProxy(Number(url.port), DISTANCE)
    url.port = `${proxy.port}`
    await using folder = await makeFolder()
    const settings = { DATABASE_URL: url.href, SECRETS: randomBytes(32).toString('base64') }
    const both: Product[] = []
    try {
      for (const _ of ['first', 'second']) both.push(await startProduct(folder.path, settings))
      return await measureBoth(both)
    } finally {
      for (const one of both) await one.stop()
      proxy.stop()
    }
  },
}

async function measureBoth(replicas: readonly Product[]): Promise<Figure[]> {
  const opening = ({ port }: Product): Work => {
    const request = requestText(port, 'GET', '/.ory/self-service/login/api')
    return async (connection) => void (await exchange(connection, request, 'opening a flow'))
  }
  const users = await Promise.all(replicas.map(createUser))
  const signingIn = (one: Product): Work => {
    const user = users[replicas.indexOf(one)] as User
    return async (connection) => void (await signIn(connection, one.port, user))
  }
  return [
    await compare('open a login flow', replicas, 8, opening),
    await compare('flow + login', replicas, 1, signingIn),
  ]
}

/** @param visitors of each replica */
async function compare(
  name: string,
  replicas: readonly Product[],
  visitors: number,
  work: (replica: Product) => Work,
): Promise<Figure> {
  const rateOf = async (products: readonly Product[]) => {
    const load = { visitors, seconds: 4 }
    const loads = await Promise.all(
      products.map((one) => measureLoad({ ...load, port: one.port }, work(one), true)),
    )
    return loads.reduce((sum, { rate }) => sum + rate, 0)
  }
  const [values, limits]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    limits.push(2 * (await rateOf(replicas.slice(0, 1))))
    values.push(await rateOf(replicas))
  }
  return {
    name: `${name}, two replicas`,
    unit: '1/s',
    value: median(values),
    limit: median(limits),
    goal: { share: 0.9 },
  }
}
