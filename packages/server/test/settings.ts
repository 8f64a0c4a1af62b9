import ownProduct from '../../../app/server.ts'
import type { Product } from '../src/product/product.ts'
import { readSettings as readFrom, type Settings } from '../src/settings/env.ts'

/** By default of the product in `app/server.ts`. */
export function readSettings(env: NodeJS.ProcessEnv, product: Product = ownProduct): Settings {
  return readFrom(product, env)
}
