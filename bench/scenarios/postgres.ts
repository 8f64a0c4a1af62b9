import { startPostgres } from '@my-app/identity/testing/servers/postgres-server'
import { measureHashing, measureLookUps } from '../compare-with-limit.ts'
import type { Scenario } from '../figure.ts'
import { createUser, signIn, withProduct } from '../product.ts'

export const postgres: Scenario = {
  name: 'postgres',
  async measure() {
    await using server = await startPostgres()
    if (!server) {
      console.log('There is no PostgreSQL on this machine, and none could be installed.')
      return []
    }
    const settings = { DATABASE_URL: server.url }
    return await withProduct(async (product) => {
      const { value, limit } = await measureLookUps(product, { rounds: 3, settings })
      const user = await createUser(product)
      const logins = await measureHashing('verify', product, async (connection) => {
        await signIn(connection, product.port, user)
      })
      return [
        { name: 'whoami, PostgreSQL', unit: '1/s', value, limit, goal: { share: 0.55 } },
        { name: 'flow + login, PostgreSQL', unit: '1/s', ...logins },
      ]
    }, settings)
  },
}
