import { startPostgres } from '@my-app/identity/testing/postgres'
import { openConnection, requestText } from '../connection.ts'
import type { Figure, Scenario } from '../figure.ts'
import { withBareServer } from '../limits/bare.ts'
import { measureHashes } from '../limits/hashes.ts'
import type { Work } from '../load.ts'
import { measureLoad, median } from '../load.ts'
import type { Product } from '../product.ts'
import { createUser, exchange, signIn, withProduct } from '../product.ts'

const ROUNDS = 3

/** The same on PostgreSQL, which shares the cores with everything else and does not wait for the disk. */
export const postgres: Scenario = {
  name: 'postgres',
  async measure() {
    const server = await startPostgres()
    if (!server) {
      console.log('There is no PostgreSQL on this machine, and none could be installed.')
      return []
    }
    try {
      const settings = { DATABASE_URL: server.url }
      return await withProduct(
        async (product) => [await lookUps(product, settings), await logins(product)],
        settings,
      )
    } finally {
      await server.stop()
    }
  },
}

async function lookUps(product: Product, settings: Record<string, string>): Promise<Figure> {
  const connection = await openConnection(product.port)
  const token = await signIn(connection, product.port, await createUser(product))
  const request = requestText(product.port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': token })
  const answer = await exchange(connection, request, 'whoami')
  connection.close()
  const ask: Work = async (connection) => void (await exchange(connection, request, 'whoami'))
  const load = { visitors: 16, seconds: 2 }
  const [values, limits] = [[], []] as [number[], number[]]
  await withBareServer(
    answer,
    async (bare) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        values.push((await measureLoad({ ...load, port: product.port }, ask)).rate)
        limits.push((await measureLoad({ ...load, port: bare.port }, ask)).rate)
      }
    },
    settings,
  )
  return {
    name: 'whoami, PostgreSQL',
    unit: '1/s',
    value: median(values),
    limit: median(limits),
    goal: { share: 0.55 },
  }
}

async function logins(product: Product): Promise<Figure> {
  const user = await createUser(product)
  const [values, limits] = [[], []] as [number[], number[]]
  for (let round = 0; round < ROUNDS; round += 1) {
    limits.push(await measureHashes('verify', 3))
    const load = { visitors: 8, seconds: 4, port: product.port }
    const work = measureLoad(load, async (connection) => {
      await signIn(connection, product.port, user)
    })
    values.push((await work).rate)
  }
  return { name: 'flow + login, PostgreSQL', unit: '1/s', value: median(values), limit: median(limits) }
}
