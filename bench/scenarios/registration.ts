import type { Scenario } from '../figure.ts'
import { measureHashes } from '../limits/hashes.ts'
import { measureLoad, median } from '../load.ts'
import { submitFlow, withProduct } from '../product.ts'

const ROUNDS = 3
const load = { visitors: 8, seconds: 4 }

export const registration: Scenario = {
  name: 'registration',
  measure: () =>
    withProduct(async (product) => {
      const [values, limits] = [[], []] as [number[], number[]]
      let users = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        limits.push(await measureHashes('hash', 3))
        const work = measureLoad({ ...load, port: product.port }, async (connection) => {
          users += 1
          const traits = { email: `user-${users}@example.com` }
          const body = { method: 'password', password: 'a bench of oak', traits }
          await submitFlow(connection, product.port, 'registration', body)
        })
        values.push((await work).rate)
      }
      return [
        {
          name: 'flow + registration',
          unit: '1/s',
          value: median(values),
          limit: median(limits),
          kratos: '0.4 to 25',
          better_auth: '74',
        },
      ]
    }),
}
