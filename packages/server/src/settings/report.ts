import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { readSettings } from './env.ts'

/**
 * The sentences about invalid settings in the environment, or undefined if all are valid.
 *
 * @example console.log(invalidSettings(product) ?? 'All settings are valid.')
 */
export function invalidSettings(product: Product): string | undefined {
  try {
    readSettings(product)
    return undefined
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
}
