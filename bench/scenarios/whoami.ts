import { openConnection, requestText } from '../connection.ts'
import type { Scenario } from '../figure.ts'
import { withBareServer } from '../limits/bare.ts'
import type { Work } from '../load.ts'
import { measureLoad, median } from '../load.ts'
import { createUser, exchange, signIn, withProduct } from '../product.ts'

const ROUNDS = 5
const load = { visitors: 16, seconds: 2 }

export const whoami: Scenario = {
  name: 'whoami',
  measure: () =>
    withProduct(async (product) => {
      const connection = await openConnection(product.port)
      const token = await signIn(connection, product.port, await createUser(product))
      const request = requestText(product.port, 'GET', '/.ory/sessions/whoami', { 'X-Session-Token': token })
      const answer = await exchange(connection, request, 'whoami')
      connection.close()
      const ask: Work = async (connection) => void (await exchange(connection, request, 'whoami'))

      return await withBareServer(answer, async (bare) => {
        // Alternating, so that a busy moment of the machine affects both.
        const [values, limits, p99s] = [[], [], []] as number[][]
        for (let round = 0; round < ROUNDS; round += 1) {
          const { rate, p99 } = await measureLoad({ ...load, port: product.port }, ask)
          values?.push(rate)
          p99s?.push(p99)
          limits?.push((await measureLoad({ ...load, port: bare.port }, ask)).rate)
        }
        return [
          {
            name: 'whoami',
            unit: '1/s',
            value: median(values ?? []),
            limit: median(limits ?? []),
            goal: { share: 0.5 },
            kratos: '740',
            better_auth: '620',
          },
          { name: 'whoami, 99 of 100 within', unit: 'ms', value: median(p99s ?? []), aside: true },
        ]
      })
    }),
}
