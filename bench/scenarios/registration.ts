import { measureHashing } from '../compare-with-limit.ts'
import type { Scenario } from '../figure.ts'
import { registering, withProduct } from '../product.ts'

export const registration: Scenario = {
  name: 'registration',
  measure: () =>
    withProduct(async (product) => [
      {
        name: 'flow + registration',
        unit: '1/s',
        ...(await measureHashing('hash', product, registering(product.port))),
        kratos: '0.4 to 25',
        better_auth: '74',
      },
    ]),
}
