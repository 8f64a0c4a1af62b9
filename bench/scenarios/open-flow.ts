import { openConnection, requestText } from '../connection.ts'
import type { Scenario } from '../figure.ts'
import { withBareServer } from '../limits/bare.ts'
import { measureLoad } from '../load.ts'
import { exchange, withProduct } from '../product.ts'

const load = { visitors: 32, seconds: 4 }

export const openFlow: Scenario = {
  name: 'open-flow',
  measure: () =>
    withProduct(async (product) => {
      const request = requestText(product.port, 'GET', '/.ory/self-service/login/api')
      const connection = await openConnection(product.port)
      const answer = await exchange(connection, request, 'opening a flow')
      connection.close()
      const { rate } = await measureLoad(
        { ...load, port: product.port },
        async (connection) => void (await exchange(connection, request, 'opening a flow')),
      )
      const limit = await withBareServer(answer, ({ port }) => {
        const write = requestText(port, 'GET', '/write')
        return measureLoad(
          { ...load, port },
          async (connection) => void (await exchange(connection, write, 'writing a row')),
        )
      })
      return [
        { name: 'open a login flow', unit: '1/s', value: rate, limit: limit.rate, kratos: '290 to 500' },
      ]
    }),
}
