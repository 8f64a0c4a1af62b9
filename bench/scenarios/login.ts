import { measureHashing } from '../compare-with-limit.ts'
import type { Scenario } from '../figure.ts'
import { createUser, signIn, withProduct } from '../product.ts'

export const login: Scenario = {
  name: 'login',
  measure: () =>
    withProduct(async (product) => {
      const user = await createUser(product)
      const rate = await measureHashing('verify', product, async (connection) => {
        await signIn(connection, product.port, user)
      })
      return [
        {
          name: 'flow + login',
          unit: '1/s',
          ...rate,
          goal: { share: 0.6 },
          kratos: '1.9 to 32',
          better_auth: '75',
        },
      ]
    }),
}
