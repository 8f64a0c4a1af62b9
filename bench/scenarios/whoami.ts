import { measureLookUps } from '../compare-with-limit.ts'
import type { Scenario } from '../figure.ts'
import { withProduct } from '../product.ts'

export const whoami: Scenario = {
  name: 'whoami',
  measure: () =>
    withProduct(async (product) => {
      const { p99, ...rate } = await measureLookUps(product)
      return [
        {
          name: 'whoami',
          unit: '1/s',
          ...rate,
          goal: { share: 0.55 },
          kratos: '740',
          better_auth: '620',
        },
        { name: 'whoami, 99 of 100 within', unit: 'ms', value: p99, aside: true },
      ]
    }),
}
