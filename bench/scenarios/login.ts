import type { Scenario } from '../figure.ts'
import { measureHashes } from '../limits/hashes.ts'
import { measureLoad, median } from '../load.ts'
import { createUser, signIn, withProduct } from '../product.ts'

const ROUNDS = 3
const load = { visitors: 8, seconds: 4 }

export const login: Scenario = {
  name: 'login',
  measure: () =>
    withProduct(async (product) => {
      const user = await createUser(product)
      const [values, limits] = [[], []] as [number[], number[]]
      for (let round = 0; round < ROUNDS; round += 1) {
        limits.push(await measureHashes('verify', 3))
        const work = measureLoad({ ...load, port: product.port }, async (connection) => {
          await signIn(connection, product.port, user)
        })
        values.push((await work).rate)
      }
      return [
        {
          name: 'flow + login',
          unit: '1/s',
          value: median(values),
          limit: median(limits),
          goal: { share: 0.85 },
          kratos: '1.9 to 32',
          better_auth: '75',
        },
      ]
    }),
}
